/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.read.ListAppender;
import io.docajava.core.context.ContextState;
import io.docajava.core.memory.MapRange;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.IdleStrategy;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.core.sync.SyncEvent;
import io.docajava.core.sync.SyncEventContext;
import io.docajava.core.sync.SyncEventOperation;
import io.docajava.core.sync.SyncLocation;
import io.docajava.dma.DmaContext;
import io.docajava.dma.DmaSeries;
import io.docajava.dma.Requirements;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.junit.DocaEmulator;
import io.docajava.testing.UncaughtExceptions;
import io.docajava.testing.Work;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import javax.management.ObjectName;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Tests the warnings about operations that do not complete. */
@Timeout(600)
@SuppressWarnings("try")
@DocaEmulator
class QuietContextTest {

    private static final Duration NEVER = Duration.ofHours(24);
    private static final Duration LIMIT = Duration.ofMillis(20);

    private final Logger logger = (Logger) LoggerFactory.getLogger(ProgressEngine.class);
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>() {
        @Override
        protected void append(ILoggingEvent event) {
            // Records the thread.
            event.prepareForDeferredProcessing();
            super.append(event);
        }
    };

    @BeforeEach
    void listen() {
        appender.list = new CopyOnWriteArrayList<>();
        appender.start();
        logger.addAppender(appender);
        logger.setLevel(Level.WARN);
        logger.setAdditive(false);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(appender);
        logger.setLevel(null);
        logger.setAdditive(true);
    }

    private List<String> warnings() {
        return appender.list.stream()
                .map(event -> event.getFormattedMessage().replaceAll("[0-9]+ m?s,", "TIME,"))
                .toList();
    }

    private static EmulatorFaults holdCompletions() {
        return EmulatorFaults.builder().delay(NEVER).inject();
    }

    private static String warning(FaultLab lab, int tasks, int block) {
        return lab.dma + ": no operation has completed for TIME, with " + (tasks == 1 ? "1 task" : tasks + " tasks")
                + " in flight. The oldest is " + copying(block);
    }

    private static String copying(int block) {
        long bytes = FaultLab.BLOCK * FaultLab.BLOCKS;
        String map = " of Mmap of " + 2 * bytes + " bytes on 0000:03:00.0 (mlx5_0)";
        return "copying 256 bytes from " + block * FaultLab.BLOCK + map + " to " + (bytes + block * FaultLab.BLOCK)
                + map;
    }

    private static void await(FaultLab lab, BooleanSupplier condition) throws Exception {
        assertThat(lab.engine.await(condition, FaultLab.LONG))
                .as("waits for the condition at the calling line")
                .isTrue();
    }

    /** Waits several times as long as the limit of the warning. */
    private static void waitLonger(FaultLab lab) throws Exception {
        assertThat(lab.engine.await(() -> false, LIMIT.multipliedBy(4))).isFalse();
    }

    private static List<IdleStrategy> strategies() {
        return List.of(IdleStrategy.eventDriven(0), IdleStrategy.busySpin(), IdleStrategy.backoff());
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void theOldestOperationIsNamedOnce(IdleStrategy strategy) throws Exception {
        try (FaultLab lab = new FaultLab()) {
            lab.engine.warnAfter(LIMIT).idleStrategy(strategy);
            try (EmulatorFaults faults = holdCompletions()) {
                long begun = System.nanoTime();
                List<Completion<Long>> copies = List.of(lab.copy(3), lab.copy(1));
                await(lab, () -> !appender.list.isEmpty());
                assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(LIMIT.toNanos());
                assertThat(warnings()).containsExactly(warning(lab, 2, 3));
                waitLonger(lab);
                assertThat(copies).noneMatch(Completion::isDone);
            }
            assertThat(warnings()).hasSize(1);
            lab.drain();
            assertThat(warnings()).hasSize(1);
        }
    }

    @Test
    void thereIsAnotherWarningAfterProgress() throws Exception {
        try (FaultLab lab = new FaultLab()) {
            lab.engine.warnAfter(LIMIT);
            for (int block = 0; block < 2; block++) {
                Completion<Long> copy;
                int warnings = block + 1;
                try (EmulatorFaults faults = holdCompletions()) {
                    copy = lab.copy(block);
                    await(lab, () -> appender.list.size() == warnings);
                }
                assertThat(copy.await(FaultLab.LONG)).isEqualTo(FaultLab.BLOCK);
            }
            assertThat(warnings()).containsExactly(warning(lab, 1, 0), warning(lab, 1, 1));
        }
    }

    @Test
    void aSeriesSaysHowManyThereAre() throws Exception {
        try (FaultLab lab = new FaultLab()) {
            lab.engine.warnAfter(LIMIT);
            List<MapRange> sources = List.of(lab.sourceRange(0), lab.sourceRange(1));
            List<MapRange> targets = List.of(lab.targetRange(0), lab.targetRange(1));
            try (DmaSeries series = lab.dma.series(sources, targets)) {
                try (EmulatorFaults faults = holdCompletions()) {
                    series.submit();
                    await(lab, () -> !appender.list.isEmpty());
                }
                lab.drain();
            }
            assertThat(warnings()).containsExactly(warning(lab, 2, 0) + ", the first of a series of 2");
        }
    }

    @Test
    void aThreadThatSleepsWakesUpForIt() throws Exception {
        try (FaultLab lab = new FaultLab()) {
            lab.engine.warnAfter(LIMIT);
            try (EmulatorFaults faults = holdCompletions()) {
                Completion<Long> copy = lab.copy(0);
                while (appender.list.isEmpty()) {
                    lab.engine.awaitEvent(NEVER);
                }
                assertThat(copy).isNotDone();
                assertThat(warnings()).containsExactly(warning(lab, 1, 0));
            }
            lab.drain();
        }
    }

    @Test
    void aFailingAppenderDoesNotEndTheWait() throws Exception {
        NoClassDefFoundError broken = new NoClassDefFoundError("an appender");
        AppenderBase<ILoggingEvent> failing = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                throw broken;
            }
        };
        failing.start();
        logger.addAppender(failing);
        try (UncaughtExceptions uncaught = new UncaughtExceptions();
                FaultLab lab = new FaultLab()) {
            lab.engine.warnAfter(LIMIT);
            Completion<Long> copy;
            try (EmulatorFaults faults = holdCompletions()) {
                copy = lab.copy(0);
                await(lab, () -> !appender.list.isEmpty());
            }
            assertThat(copy.await(FaultLab.LONG)).isEqualTo(FaultLab.BLOCK);
            assertThat(uncaught.list()).containsExactly(broken);
        } finally {
            logger.detachAppender(failing);
        }
    }

    /** An appender is user code, which may do what a callback may do. */
    @ParameterizedTest
    @ValueSource(strings = {"progress", "await", "sleep"})
    void anAppenderMayCloseTheContextButNotTheEngine(String way) throws Exception {
        List<String> refused = new CopyOnWriteArrayList<>();
        try (FaultLab lab = new FaultLab();
                UncaughtExceptions uncaught = new UncaughtExceptions()) {
            AppenderBase<ILoggingEvent> closing = appender(() -> {
                lab.dma.close();
                for (ThrowingCallable call : List.<ThrowingCallable>of(
                        lab.engine::close, lab.engine::progress, () -> lab.engine.awaitEvent(NEVER))) {
                    refused.add(String.valueOf(catchThrowable(call).getMessage()));
                }
            });
            lab.engine.warnAfter(LIMIT).idleStrategy(IdleStrategy.eventDriven(0));
            logger.addAppender(closing);
            Completion<Long> copy;
            try (EmulatorFaults faults = holdCompletions()) {
                copy = lab.copy(0);
                switch (way) {
                    case "progress" -> {
                        while (refused.isEmpty()) {
                            lab.engine.progress();
                        }
                    }
                    case "await" -> await(lab, () -> !refused.isEmpty());
                    default -> {
                        while (refused.isEmpty()) {
                            assertThat(lab.engine.awaitEvent(FaultLab.LONG)).isTrue();
                        }
                    }
                }
            } finally {
                logger.detachAppender(closing);
            }
            await(lab, () -> copy.isDone() && lab.dma.state() == ContextState.IDLE);
            assertThatThrownBy(lab.dma::restart)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(lab.dma + " is closed");
            String delivering = lab.engine + " is delivering completions: a callback cannot ";
            assertThat(refused)
                    .containsExactly(
                            delivering + "close it",
                            delivering + "progress or wait, it can submit and return",
                            delivering + "progress or wait, it can submit and return");
            assertThat(uncaught.list()).isEmpty();
        }
    }

    private static AppenderBase<ILoggingEvent> appender(Runnable action) {
        AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                action.run();
            }
        };
        appender.start();
        return appender;
    }

    @Test
    void nothingInFlightCausesNoWakeUp() throws Exception {
        try (FaultLab lab = new FaultLab()) {
            lab.engine.warnAfter(Duration.ofNanos(1));
            long before = lab.engine.stats().wakeUps();
            assertThat(lab.engine.awaitEvent(LIMIT)).isFalse();
            // The engine sleeps once, and polls once more when the time has passed.
            assertThat(lab.engine.stats().wakeUps() - before).isLessThanOrEqualTo(2);
            assertThat(warnings()).isEmpty();
        }
    }

    @Test
    void thePauseBeforeASubmissionDoesNotCount() throws Exception {
        try (FaultLab lab = new FaultLab()) {
            lab.engine.warnAfter(LIMIT);
            lab.drain();
            long begun = System.nanoTime();
            while (System.nanoTime() - begun < LIMIT.toNanos()) {
                Thread.onSpinWait();
            }
            try (EmulatorFaults faults = holdCompletions()) {
                Completion<Long> copy = lab.copy(0);
                // Makes the engine read the clock once.
                lab.engine.await(() -> true);
                assertThat(warnings()).isEmpty();
                assertThat(copy).isNotDone();
            }
            lab.drain();
        }
    }

    @Test
    void aWaitForASyncEventIsNoReason() throws Exception {
        Requirements.waitingTasks();
        try (FaultLab lab = new FaultLab();
                SyncEventContext event = SyncEvent.builder(lab.device)
                        .publisher(SyncLocation.CPU)
                        .subscriber(SyncLocation.CPU)
                        .tasks()
                        .start(lab.engine)) {
            lab.engine.warnAfter(LIMIT);
            Completion<Long> wait = event.submit(SyncEventOperation.waitEqual(7));
            waitLonger(lab);
            assertThat(wait).isNotDone();
            assertThat(warnings()).isEmpty();
            event.submit(SyncEventOperation.set(7)).await(FaultLab.LONG);
            wait.await(FaultLab.LONG);
        }
    }

    @Test
    void zeroIsNever() throws Exception {
        try (FaultLab lab = new FaultLab()) {
            lab.engine.warnAfter(Duration.ZERO);
            try (EmulatorFaults faults = holdCompletions()) {
                Completion<Long> copy = lab.copy(0);
                waitLonger(lab);
                assertThat(copy).isNotDone();
            }
            lab.drain();
            assertThat(warnings()).isEmpty();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> lab.engine.warnAfter(Duration.ofNanos(-1)))
                    .withMessage("The time before a warning must not be negative: PT-0.000000001S");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ProgressLoop.builder().warnAfter(Duration.ofNanos(-1)))
                    .withMessage("The time before a warning must not be negative: PT-0.000000001S");
        }
    }

    @Test
    void aLoopWarnsOnItsThread() throws Exception {
        try (FaultLab lab = new FaultLab();
                ProgressLoop loop = ProgressLoop.builder()
                        .name("mover")
                        .warnAfter(LIMIT)
                        .idleStrategy(IdleStrategy.eventDriven(0))
                        .start()) {
            lab.engine.idleStrategy(IdleStrategy.yielding());
            DmaContext dma = loop.call(engine -> DmaContext.builder(lab.device).start(engine))
                    .join();
            try (EmulatorFaults faults = holdCompletions()) {
                var copy = Work.on(loop, () -> dma.copy(lab.memory.range(0, 64), lab.memory.range(64, 64)));
                await(lab, () -> !appender.list.isEmpty());
                assertThat(copy).isNotDone();
                assertThat(appender.list.getFirst().getThreadName()).isEqualTo("mover");
            }
            loop.call(engine -> {
                        dma.close();
                        return true;
                    })
                    .join();
        }
    }

    /** The appender of a warning queues work while its thread progresses and finds nothing, which wakes nobody. */
    @Test
    void aLoopRunsWorkThatAnAppenderQueuesBeforeItIsIdle() throws Exception {
        AtomicBoolean isQueued = new AtomicBoolean();
        AtomicBoolean wasIdle = new AtomicBoolean();
        CompletableFuture<Void> ran = new CompletableFuture<>();
        List<CompletableFuture<Boolean>> queued = new CopyOnWriteArrayList<>();
        IdleStrategy strategy = work -> {
            if (work == 0 && isQueued.get()) {
                wasIdle.set(true);
            }
            Thread.onSpinWait();
        };
        try (FaultLab lab = new FaultLab();
                ProgressLoop loop = ProgressLoop.builder()
                        .warnAfter(LIMIT)
                        .idleStrategy(strategy)
                        .start();
                DmaContext dma = DmaContext.builder(lab.device).start(loop)) {
            AppenderBase<ILoggingEvent> queuing = new AppenderBase<>() {
                @Override
                protected void append(ILoggingEvent event) {
                    isQueued.set(true);
                    queued.add(loop.call(engine -> {
                        isQueued.set(false);
                        return ran.complete(null);
                    }));
                }
            };
            queuing.start();
            logger.addAppender(queuing);
            try (EmulatorFaults faults = holdCompletions()) {
                Completion<Long> copy = dma.copy(lab.memory.range(0, 64), lab.memory.range(64, 64));
                ran.join();
                assertThat(copy).isNotDone();
                assertThat(queued).isNotEmpty();
            } finally {
                logger.detachAppender(queuing);
            }
        }
        assertThat(wasIdle).isFalse();
    }

    /** Checks the output of {@code jcmd PID Thread.print}. */
    @Test
    void aThreadDumpNamesTheLoop() throws Exception {
        try (ProgressLoop loop = ProgressLoop.builder().name("mover of orders").start()) {
            assertThat(loop.call(engine -> engine.thread().getName()).join()).isEqualTo("mover of orders");
            Object dump = ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            ObjectName.getInstance("com.sun.management:type=DiagnosticCommand"),
                            "threadPrint",
                            new Object[] {new String[0]},
                            new String[] {String[].class.getName()});
            assertThat(dump.toString())
                    .containsPattern("\"mover of orders\" #[0-9]+ .* daemon")
                    .contains("io.docajava.core.progress.LoopThread.run(");
        }
    }
}
