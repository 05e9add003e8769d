/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.DocaException;
import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.IdleStrategy;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.core.testing.ChildJvm;
import io.docajava.core.testing.OpenHandles;
import io.docajava.core.testing.OtherThread;
import io.docajava.core.testing.PeerJvm;
import io.docajava.core.testing.Requirements;
import io.docajava.emulator.EmulatorEnvironment;
import io.docajava.testing.Await;
import io.docajava.testing.NeedsEmulator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests sync events in tasks. */
@ExtendWith(OpenHandles.class)
@Timeout(600)
class SyncEventContextTest {

    private static final String PLACE = "on 0000:03:00.0 (mlx5_0)";
    private static final String CONTEXT = "Sync event context " + PLACE;
    private static final Duration LONG = Await.LIMIT;

    private final List<Throwable> reported = new ArrayList<>();
    private Device device;
    private ProgressEngine engine;

    @BeforeEach
    void open() {
        device = Device.open(DeviceFilter.ibDevice("mlx5_0"));
        engine = ProgressEngine.create();
        engine.errorHandler(reported::add);
    }

    @AfterEach
    void close() {
        engine.close();
        device.close();
        assertThat(reported).isEmpty();
    }

    private SyncEventBuilder local() {
        return SyncEvent.builder(device).publisher(SyncLocation.CPU).subscriber(SyncLocation.CPU);
    }

    private SyncEventContext start() {
        return local().tasks().start(engine);
    }

    private SyncEventContext start(UnaryOperator<SyncEventContextBuilder> configuration) {
        return configuration.apply(local().tasks()).start(engine);
    }

    @Test
    void isReadSetAndAddedTo() throws Exception {
        try (SyncEventContext event = start()) {
            assertThat(event.submit(SyncEventOperation.get()).await()).isZero();
            assertThat(event.submit(SyncEventOperation.set(5)).await()).isEqualTo(5);
            assertThat(event.submit(SyncEventOperation.add(3)).await()).isEqualTo(5);
            assertThat(event.submit(SyncEventOperation.add(-10)).await()).isEqualTo(8);
            assertThat(event.submit(SyncEventOperation.get()).await()).isEqualTo(-2);
            assertThat(event.submit(SyncEventOperation.set(Long.MIN_VALUE)).await())
                    .isEqualTo(Long.MIN_VALUE);
            assertThat(event.submit(SyncEventOperation.get()).await()).isEqualTo(Long.MIN_VALUE);
            assertThat(event.device()).isSameAs(device);
            assertThat(event.engine()).isSameAs(engine);
            assertThat(event.state()).isEqualTo(ContextState.RUNNING);
            assertThat(event.failure()).isEmpty();
            assertThat(event).hasToString(CONTEXT);
        }
    }

    @Test
    void waits() throws Exception {
        Requirements.waitingTasks();
        try (SyncEventContext event = start()) {
            Completion<Long> equal = event.submit(SyncEventOperation.waitEqual(5));
            Completion<Long> other = event.submit(SyncEventOperation.waitNotEqual(0));
            Completion<Long> low = event.submit(SyncEventOperation.waitEqual(0x34, 0xff));
            Completion<Long> high = event.submit(SyncEventOperation.waitNotEqual(0, 0xffff_0000_0000_0000L));
            Completion<Long> all = event.submit(SyncEventOperation.waitNotEqual(0, -1));
            assertThat(event.inFlight()).isEqualTo(5);
            assertThat(event.submit(SyncEventOperation.get()).await()).isZero();
            assertThat(List.of(equal, other, low, high)).noneMatch(Completion::isDone);
            event.submit(SyncEventOperation.set(5)).await();
            assertThat(equal.await()).isEqualTo(5);
            assertThat(other.await()).isZero();
            assertThat(all.await()).isZero();
            event.submit(SyncEventOperation.set(0x1234)).await();
            assertThat(low.await()).isEqualTo(0x34);
            assertThat(high.isDone()).isFalse();
            event.submit(SyncEventOperation.set(1L << 60)).await();
            assertThat(high.await()).isZero();
            assertThat(event.inFlight()).isZero();
        }
    }

    /** Tasks of releases from 2.0 to 2.5. */
    @Test
    void waitsForAGreaterValue() throws Exception {
        Requirements.greaterTasks();
        try (SyncEventContext event = start()) {
            Completion<Long> first = event.submit(SyncEventOperation.waitGreaterThan(0));
            Completion<Long> last = event.submit(SyncEventOperation.waitGreaterThan(253));
            assertThat(event.inFlight()).isEqualTo(2);
            assertThat(event.submit(SyncEventOperation.get()).await()).isZero();
            assertThat(List.of(first, last)).noneMatch(Completion::isDone);
            event.submit(SyncEventOperation.set(1)).await();
            assertThat(first.await()).isZero();
            event.submit(SyncEventOperation.set(253)).await();
            assertThat(event.submit(SyncEventOperation.get()).await()).isEqualTo(253);
            assertThat(last.isDone()).isFalse();
            event.submit(SyncEventOperation.set(254)).await();
            assertThat(last.await()).isEqualTo(253);
            assertThat(event.submit(SyncEventOperation.waitGreaterThan(7)).await())
                    .isEqualTo(7);
            assertThat(event.inFlight()).isZero();
        }
    }

    @Test
    void aTaskWaitsForOneGreaterValueAfterTheOther() throws Exception {
        Requirements.greaterTasks();
        try (SyncEventContext event = start();
                SyncEventTask task = event.task(SyncEventOperation.waitGreaterThan(0))) {
            for (int value = 1; value <= 5; value++) {
                task.operation(SyncEventOperation.waitGreaterThan(value - 1)).submit();
                event.submit(SyncEventOperation.set(value)).await();
                assertThat(engine.await(task::isDone, Await.LIMIT)).isTrue();
                assertThat(task.result()).isEqualTo(value - 1);
            }
        }
    }

    /** Releases before 2.5 refuse a stop during the wait. */
    @Test
    void aWaitForAGreaterValueEndsWithItsContextOrKeepsItRunning() throws Exception {
        Requirements.greaterTasks();
        SyncEventContext event = start();
        Completion<Long> wait = event.submit(SyncEventOperation.waitGreaterThan(5));
        event.submit(SyncEventOperation.set(3)).await();
        try {
            event.close();
            assertThat(wait.exceptionNow())
                    .isInstanceOfSatisfying(
                            TaskFailedException.class,
                            failure -> assertThat(failure.reason()).isEqualTo(TaskFailedException.Reason.CANCELLED))
                    .hasMessageStartingWith("Waiting for the " + CONTEXT + " to be greater than 5: ");
        } catch (DocaCallException refused) {
            assertThat(refused.error()).isEqualTo(DocaError.NOT_PERMITTED);
            assertThat(event.state()).isEqualTo(ContextState.RUNNING);
            event.submit(SyncEventOperation.set(6)).await();
            assertThat(wait.await()).isEqualTo(5);
            event.close();
        }
    }

    @Test
    void refusesWaitsForAGreaterValueOfReleasesWithoutThem() {
        Requirements.noGreaterTasks();
        try (SyncEventContext event = start()) {
            assertThat(event.maxTasks(SyncEventTaskType.WAIT_GREATER)).isZero();
            assertThatIllegalStateException()
                    .isThrownBy(() -> event.submit(SyncEventOperation.waitGreaterThan(1)))
                    .withMessage(
                            "The " + CONTEXT + " has no tasks to wait for a greater value: its device does not offer"
                                    + " them with this release of DOCA");
            assertThat(event.inFlight()).isZero();
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> start(builder -> builder.maxTasks(SyncEventTaskType.WAIT_GREATER, 1)))
                .withMessage("0000:03:00.0 (mlx5_0) does not offer sync events with tasks to wait for a greater value");
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 255, 256, Long.MAX_VALUE})
    void refusesNumbersThatATaskCannotExceed(long number) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SyncEventOperation.waitGreaterThan(number))
                .withMessage("A task can wait for a value greater than 0 to 254, and not " + number);
    }

    @Test
    void reportsTheComparedValueOfAWait() throws Exception {
        Requirements.waitingTasks();
        try (SyncEventContext event = start()) {
            event.submit(SyncEventOperation.set(0x1234)).await();
            assertThat(event.submit(SyncEventOperation.waitNotEqual(7)).await()).isEqualTo(7);
            assertThat(event.submit(SyncEventOperation.waitNotEqual(0x35, 0xff)).await())
                    .isEqualTo(0x35);
        }
    }

    @Test
    void callsBack() throws Exception {
        Requirements.waitingTasks();
        List<String> calls = new ArrayList<>();
        Handler<SyncEventEnd> handler = (end, failure) ->
                calls.add(failure == null ? end.type() + " " + end.result() : "failed " + failure.reason());
        try (SyncEventContext event = start()) {
            event.submit(SyncEventOperation.waitEqual(9, -1), handler);
            event.submit(SyncEventOperation.waitNotEqual(0, 0xff), handler);
            event.submit(SyncEventOperation.set(7), handler);
            engine.progress();
            while (event.inFlight() > 1) {
                engine.progress();
            }
            assertThat(calls).containsExactlyInAnyOrder("SET 7", "WAIT_NOT_EQUAL 0");
            calls.clear();
            event.submit(SyncEventOperation.add(2), handler);
            event.drain(LONG);
            assertThat(calls).containsExactlyInAnyOrder("ADD 7", "WAIT_EQUAL 9");
            calls.clear();
            event.submit(SyncEventOperation.get(), handler);
            event.drain(LONG);
            assertThat(calls).containsExactly("GET 9");
            event.submit(SyncEventOperation.waitEqual(1, -1), handler);
        }
        assertThat(calls).containsExactly("GET 9", "failed CANCELLED");
    }

    @Test
    void anyThreadUsesAContextOfALoop() throws Exception {
        Requirements.waitingTasks();
        try (ProgressLoop loop = ProgressLoop.start();
                SyncEventContext event = SyncEvent.builder(device)
                        .publisher(SyncLocation.CPU)
                        .subscriber(SyncLocation.CPU)
                        .tasks()
                        .start(loop)) {
            Completion<Long> wait = event.submit(SyncEventOperation.waitEqual(200));
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                threads.add(Thread.ofPlatform().start(() -> {
                    for (int k = 0; k < 50; k++) {
                        event.submit(SyncEventOperation.add(1)).join();
                    }
                }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(wait.join()).isEqualTo(200);
            assertThat(event.submit(SyncEventOperation.get()).join()).isEqualTo(200);
            event.stop();
            assertThat(event.submit(SyncEventOperation.get()))
                    .failsWithin(LONG)
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(ContextNotRunningException.class);
        }
    }

    @Test
    void submitsOneOperationAnyNumberOfTimes() throws Exception {
        SyncEventOperation add = SyncEventOperation.add(1);
        try (SyncEventContext event = start();
                SyncEventContext other = start();
                SyncEventTask task = other.task(add)) {
            List<Completion<Long>> additions = List.of(event.submit(add), event.submit(add), other.submit(add));
            task.submit();
            event.drain(LONG);
            other.drain(LONG);
            assertThat(additions).allMatch(Completion::isDone);
            assertThat(event.submit(SyncEventOperation.get()).await()).isEqualTo(2);
            assertThat(other.submit(SyncEventOperation.get()).await()).isEqualTo(2);
            assertThat(add).hasToString("adding 1 to the event");
        }
    }

    @Test
    void reusesTasks() throws Exception {
        Requirements.waitingTasks();
        try (SyncEventContext event = start(builder -> builder.maxTasks(1))) {
            for (int i = 0; i < 1000; i++) {
                assertThat(event.submit(SyncEventOperation.add(i % 3)).await()).isNotNegative();
                long value = event.submit(SyncEventOperation.get()).await();
                assertThat(event.submit(SyncEventOperation.waitEqual(value)).await())
                        .isEqualTo(value);
                assertThat(event.submit(SyncEventOperation.waitNotEqual(value + 1, 0xff))
                                .isDone())
                        .isFalse();
                engine.progress();
                assertThat(event.submit(SyncEventOperation.set(i)).await()).isEqualTo(i);
                while (event.inFlight() > 0) {
                    engine.progress();
                }
            }
        }
    }

    @Test
    void chainsTasksInCallbacks() throws Exception {
        try (SyncEventContext event = start(builder -> builder.maxTasks(1))) {
            List<Long> fetched = new ArrayList<>();
            Handler<SyncEventEnd> handler = new Handler<>() {
                @Override
                public void ended(SyncEventEnd end, @Nullable TaskFailedException failure) {
                    if (failure != null) {
                        reported.add(failure);
                        return;
                    }
                    fetched.add(end.result());
                    if (fetched.size() < 100) {
                        end.event().submit(SyncEventOperation.add(1), this);
                    }
                }
            };
            event.submit(SyncEventOperation.add(1), handler);
            while (event.inFlight() > 0) {
                engine.progress();
            }
            assertThat(fetched).hasSize(100).first().isEqualTo(0L);
            assertThat(fetched).last().isEqualTo(99L);
        }
    }

    @Test
    void hasItsValueInMemoryOfTheUser() throws Exception {
        MemorySegment memory = Arena.ofAuto().allocate(JAVA_LONG);
        memory.set(JAVA_LONG, 0, 40);
        try (SyncEventContext event = local().memory(memory).tasks().start(engine)) {
            assertThat(event.submit(SyncEventOperation.add(2)).await()).isEqualTo(40);
            assertThat(memory.get(JAVA_LONG, 0)).isEqualTo(42);
        }
        Arena arena = Arena.ofShared();
        try (SyncEventContext event =
                local().memoryUnchecked(arena.allocate(JAVA_LONG)).tasks().start(engine)) {
            arena.close();
            assertThatIllegalStateException()
                    .isThrownBy(() -> event.submit(SyncEventOperation.get()))
                    .withMessage("The memory of SyncEvent " + PLACE + " was freed while it held the event");
        }
    }

    @Test
    void refusesMasksAndConditionsThatTheSdkHasNot() throws Exception {
        Handler<SyncEventEnd> nobody = (end, failure) -> {};
        try (SyncEventContext event = start()) {
            for (long mask : new long[] {0, 1, 0xfe, 0xff0, 0xff_ffff, 0xff00ff, 0xff_ffff_ffffL, -2}) {
                String message = "The mask of a wait has all bits of 1, 2, 4 or 8 neighbouring bytes, and is not 0x"
                        + Long.toHexString(mask);
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> event.submit(SyncEventOperation.waitEqual(0, mask)))
                        .withMessage(message);
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> event.submit(SyncEventOperation.waitNotEqual(0, mask), nobody))
                        .withMessage(message);
            }
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> event.submit(SyncEventOperation.waitEqual(256, 0xff)))
                    .withMessage("A wait for a value equal to 256 in the bits 0xff would never end");
            assertThat(event.inFlight()).isZero();
        }
    }

    @Test
    void saysWhenNoTaskIsFree() throws Exception {
        Requirements.waitingTasks();
        try (SyncEventContext event = start(builder ->
                builder.maxTasks(1).maxTasks(SyncEventTaskType.ADD, 0).maxTasks(SyncEventTaskType.GET, 2))) {
            assertThat(event.maxTasks(SyncEventTaskType.GET)).isEqualTo(2);
            assertThat(event.maxTasks(SyncEventTaskType.SET)).isEqualTo(1);
            assertThat(event.maxTasks(SyncEventTaskType.ADD)).isZero();
            Completion<Long> wait = event.submit(SyncEventOperation.waitEqual(1));
            assertThat(event.submit(SyncEventOperation.waitEqual(2)).exceptionNow())
                    .isExactlyInstanceOf(ResourceExhaustedException.class)
                    .hasMessage(CONTEXT + " has no free task to wait for a value: all 1 are in use; progress until one"
                            + " completes, or raise maxTasks(SyncEventTaskType.WAIT_EQUAL, n)");
            assertThatIllegalStateException()
                    .isThrownBy(() -> event.submit(SyncEventOperation.add(1)))
                    .withMessage("The " + CONTEXT + " has no tasks to add: it was built without them");
            event.submit(SyncEventOperation.set(1)).await();
            assertThat(wait.await()).isEqualTo(1);
        }
    }

    @Test
    void hasNoTasksOfATypeThatIsNotUsed() throws Exception {
        try (SyncEventContext event = start(builder -> builder.maxTasks(SyncEventTaskType.ADD, 0))) {
            assertThat(event.submit(SyncEventOperation.get()).await()).isZero();
            assertThatIllegalStateException()
                    .isThrownBy(() -> event.submit(SyncEventOperation.add(1)))
                    .withMessage("The " + CONTEXT + " has no tasks to add: it was built without them");
        }
    }

    /** The engine can be destroyed afterwards. */
    @Test
    void needsTasksOfOneType() {
        UnaryOperator<SyncEventContextBuilder> withoutTasks = builder -> {
            for (SyncEventTaskType type : SyncEventTaskType.values()) {
                builder.maxTasks(type, 0);
            }
            return builder;
        };
        assertThatIllegalArgumentException()
                .isThrownBy(() -> start(withoutTasks))
                .withMessage(
                        "A sync event context on 0000:03:00.0 (mlx5_0) needs tasks of one type or more, and has none");
    }

    @Test
    @NeedsEmulator
    void refusesWrongNumbersOfTasks() throws Exception {
        SyncEventContextBuilder builder = local().tasks();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.maxTasks(0))
                .withMessage("A sync event needs 1 or more tasks of a type: 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.maxTasks(SyncEventTaskType.SET, -1))
                .withMessage("A sync event needs 0 or more tasks to set: -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.closeTimeout(Duration.ofNanos(-1)))
                .withMessage("The close timeout must not be negative: PT-0.000000001S");
        assertThatExceptionOfType(DocaException.class)
                .isThrownBy(
                        () -> builder.maxTasks(SyncEventTaskType.GET, 1_000_000).start(engine))
                .withMessageStartingWith("Giving the " + CONTEXT + " 1000000 tasks to get:"
                        + " doca_sync_event_task_get_set_conf failed with DOCA_ERROR_INVALID_VALUE");
    }

    @Test
    void endsWaitsWhenItStops() throws Exception {
        Requirements.waitingTasks();
        List<ContextState> states = new ArrayList<>();
        try (SyncEventContext event =
                start(builder -> builder.listener((context, previous, next) -> states.add(next)))) {
            event.submit(SyncEventOperation.set(3)).await();
            Completion<Long> wait = event.submit(SyncEventOperation.waitEqual(1));
            assertThatExceptionOfType(TimeoutException.class)
                    .isThrownBy(() -> event.drain(Duration.ofMillis(1)))
                    .withMessage(CONTEXT + ": 1 task still in flight after 1 ms: waiting for the " + CONTEXT
                            + " to be equal to 1");
            assertThatExceptionOfType(TimeoutException.class)
                    .isThrownBy(() -> event.drain(Duration.ofSeconds(Long.MIN_VALUE)))
                    .withMessage(CONTEXT + ": 1 task still in flight after 0 ms: waiting for the " + CONTEXT
                            + " to be equal to 1");
            event.stop();
            assertThat(event.state()).isEqualTo(ContextState.STOPPING);
            assertThatExceptionOfType(TaskFailedException.class)
                    .isThrownBy(() -> wait.await())
                    .satisfies(failure -> {
                        assertThat(failure.reason()).isEqualTo(TaskFailedException.Reason.CANCELLED);
                        assertThat(failure)
                                .hasMessageStartingWith("Waiting for the " + CONTEXT
                                        + " to be equal to 1: doca_sync_event_task_wait_eq failed with DOCA_ERROR_")
                                .hasMessageEndingWith(". It was aborted, as the context was stopped");
                    });
            while (event.state() != ContextState.IDLE) {
                engine.progress();
            }
            assertThat(event.submit(SyncEventOperation.get()).exceptionNow())
                    .isExactlyInstanceOf(ContextNotRunningException.class)
                    .hasMessageStartingWith(CONTEXT + " is idle");
        }
        assertThat(states).containsExactly(ContextState.RUNNING, ContextState.STOPPING, ContextState.IDLE);
    }

    @Test
    void isNotUsableAfterClose() throws Exception {
        SyncEventContext event = start();
        assertThatIllegalStateException()
                .isThrownBy(device::close)
                .withMessage("Device 0000:03:00.0 (mlx5_0) cannot be closed while in use by: " + CONTEXT);
        assertThatIllegalStateException().isThrownBy(engine::close).withMessageEndingWith("in use by: " + CONTEXT);
        event.close();
        event.close();
        String message = CONTEXT + " is closed";
        assertThatIllegalStateException()
                .isThrownBy(() -> event.submit(SyncEventOperation.get()))
                .withMessage(message);
        assertThatIllegalStateException()
                .isThrownBy(() -> event.submit(SyncEventOperation.set(1)))
                .withMessage(message);
        assertThatIllegalStateException()
                .isThrownBy(() -> event.submit(SyncEventOperation.add(1)))
                .withMessage(message);
        assertThatIllegalStateException()
                .isThrownBy(() -> event.submit(SyncEventOperation.waitEqual(1)))
                .withMessage(message);
        assertThatIllegalStateException()
                .isThrownBy(() -> event.submit(SyncEventOperation.waitNotEqual(1)))
                .withMessage(message);
        assertThatIllegalStateException()
                .isThrownBy(() -> event.exportPci(device))
                .withMessage(message);
        assertThatIllegalStateException().isThrownBy(event::exportRdma).withMessage(message);
        assertThatIllegalStateException().isThrownBy(event::stop).withMessage(message);
        assertThatIllegalStateException().isThrownBy(event::restart).withMessage(message);
    }

    @Test
    void belongsToOneThread() throws Exception {
        try (SyncEventContext event = start()) {
            assertThat(OtherThread.thrownBy(() -> event.submit(SyncEventOperation.get())))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(CONTEXT + " belongs to thread \""
                            + Thread.currentThread().getName() + "\" and was called by thread \"other\""
                            + ". Any thread may call the operations with a future of a context that"
                            + " was started on a ProgressLoop");
            assertThat(OtherThread.thrownBy(() -> event.exportPci(device))).isInstanceOf(IllegalStateException.class);
        }
    }

    /** Release 2.5 fails the tasks, but refuses the stop and keeps running until it is stopped again. */
    @Test
    void stopsWithTasksInFlight() throws Exception {
        List<ContextState> states = new ArrayList<>();
        try (SyncEventContext event = start(tasks -> tasks.listener((context, before, now) -> {
            states.add(before);
            states.add(now);
        }))) {
            List<Completion<Long>> tasks = List.of(
                    event.submit(SyncEventOperation.set(1)),
                    event.submit(SyncEventOperation.add(2)),
                    event.submit(SyncEventOperation.get()));
            assertThat(event.inFlight()).isEqualTo(3);
            event.stop();
            event.stop();
            assertThat(event.submit(SyncEventOperation.get()).exceptionNow())
                    .isExactlyInstanceOf(ContextNotRunningException.class)
                    .hasMessageStartingWith(CONTEXT + " is ");
            assertThat(engine.await(() -> event.state() == ContextState.IDLE, LONG))
                    .as("waits for the stop of the context")
                    .isTrue();
            assertThat(event.inFlight()).isZero();
            assertThat(event.failure()).isEmpty();
            for (Completion<Long> task : tasks) {
                assertThat(task.isDone()).isTrue();
            }
        }
        assertThat(states)
                .containsExactly(
                        ContextState.IDLE,
                        ContextState.RUNNING,
                        ContextState.RUNNING,
                        ContextState.STOPPING,
                        ContextState.STOPPING,
                        ContextState.IDLE);
    }

    @Test
    void closesWithTasksInFlight() throws Exception {
        SyncEventContext event = start();
        Completion<Long> task = event.submit(SyncEventOperation.add(1));
        event.close();
        assertThat(task.isDone()).isTrue();
        assertThat(event.state()).isEqualTo(ContextState.IDLE);
    }

    /** Release 2.5 crashes when it exports an event that runs as a context. */
    @Test
    void isExportedForRdma() throws Exception {
        Requirements.function("doca_sync_event_add_publisher_location_remote_net");
        try (SyncEventContext event =
                local().publisher(SyncLocation.REMOTE_NET).tasks().start(engine)) {
            event.submit(SyncEventOperation.set(7)).await();
            SyncEventExport export = event.exportRdma();
            assertThat(export.kind()).isEqualTo(SyncEventExport.Kind.RDMA);
            assertThat(event.exportRdma()).isEqualTo(export);
            assertThat(event.submit(SyncEventOperation.add(1)).await()).isEqualTo(7);
            try (RemoteSyncEvent remote = RemoteSyncEvent.of(device, export)) {
                assertThat(remote).hasToString("RemoteSyncEvent " + PLACE);
            }
            assertThat(event.submit(SyncEventOperation.get()).await()).isEqualTo(8);
        }
    }

    @Test
    void isExportedForRdmaInMemoryOfTheUser() throws Exception {
        Requirements.function("doca_sync_event_add_publisher_location_remote_net");
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocateFrom(JAVA_LONG, 5);
            try (SyncEventContext event = local().publisher(SyncLocation.REMOTE_NET)
                    .memoryUnchecked(memory)
                    .tasks()
                    .start(engine)) {
                assertThat(event.exportRdma()).isEqualTo(event.exportRdma());
                assertThat(event.submit(SyncEventOperation.add(1)).await()).isEqualTo(5);
            }
            assertThat(memory.get(JAVA_LONG, 0)).isEqualTo(6);
        }
    }

    @Test
    void saysThatItCannotBeStartedAgain() throws Exception {
        try (SyncEventContext event = start()) {
            event.submit(SyncEventOperation.set(7)).await();
            event.stop();
            assertThat(event.state()).isEqualTo(ContextState.IDLE);
            assertThatIllegalStateException()
                    .isThrownBy(event::restart)
                    .withMessage(CONTEXT + " cannot be started again: the SDK starts a sync event only once."
                            + " Close it and make a new one");
            assertThat(event.state()).isEqualTo(ContextState.IDLE);
            assertThat(event.submit(SyncEventOperation.get()).exceptionNow())
                    .isExactlyInstanceOf(ContextNotRunningException.class)
                    .hasMessage(CONTEXT
                            + " is idle: it was stopped; it cannot be started again: close it and make a new" + " one");
        }
    }

    @Test
    void saysWhereItCannotBeExported() throws Exception {
        Requirements.function("doca_sync_event_add_publisher_location_remote_net");
        Requirements.function("doca_sync_event_add_publisher_location_remote_pci");
        try (SyncEventContext event = start();
                Device other = Device.open(DeviceFilter.ibDevice("mlx5_1"));
                // The SDK accepts one remote location.
                SyncEventContext shared =
                        local().publisher(SyncLocation.REMOTE_PCI).tasks().start(engine);
                SyncEventContext remote =
                        local().publisher(SyncLocation.REMOTE_NET).tasks().start(engine)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> event.exportPci(device))
                    .withMessage(
                            "The " + CONTEXT + " cannot be exported: REMOTE_PCI is none of its locations, which are"
                                    + " [CPU] to publish and [CPU] to subscribe");
            assertThatIllegalStateException()
                    .isThrownBy(event::exportRdma)
                    .withMessageStartingWith("The " + CONTEXT + " cannot be exported: REMOTE_NET is none of its");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> shared.exportPci(other))
                    .withMessage(
                            "The " + CONTEXT + " cannot be exported by 0000:03:00.1 (mlx5_1), which is not its device");
            assertThat(shared.exportPci(device).kind()).isEqualTo(SyncEventExport.Kind.PCI);
            assertThat(remote.exportRdma()).isEqualTo(remote.exportRdma());
            assertThat(remote.exportRdma().kind()).isEqualTo(SyncEventExport.Kind.RDMA);
        }
    }

    @Test
    @NeedsEmulator
    void isUsedByBothSidesOfTheBus() throws Exception {
        Requirements.waitingTasks();
        try (PeerJvm host =
                new PeerJvm(new ChildJvm().environment(EmulatorEnvironment.ROLE, "host"), EventPeer.class)) {
            shareWith(host);
            assertThat(host.ask("leave")).isEqualTo("left");
            loseTo(host);
        }
    }

    private void shareWith(PeerJvm host) throws Exception {
        try (SyncEventContext event =
                local().publisher(SyncLocation.REMOTE_PCI).tasks().start(engine)) {
            byte[] export = event.exportPci(device).toBytes();
            assertThat(host.ask(Base64.getEncoder().encodeToString(export))).isEqualTo("imported");
            Completion<Long> wait = event.submit(SyncEventOperation.waitEqual(1));
            assertThat(host.ask("add 1")).isEqualTo("0");
            assertThat(wait.await(LONG)).isEqualTo(1);
            event.submit(SyncEventOperation.set(2)).await();
            assertThat(host.ask("wait 2")).isEqualTo("2");
        }
    }

    private void loseTo(PeerJvm host) throws Exception {
        SyncEventExport export = SyncEventExport.parse(Base64.getDecoder().decode(host.ask("export")));
        try (SyncEventContext event =
                SyncEventContext.fromExport(device, export).start(engine)) {
            assertThat(event).hasToString("Sync event context imported " + PLACE);
            assertThat(event.submit(SyncEventOperation.add(2)).await()).isZero();
            assertThat(host.ask("get")).isEqualTo("2");
            assertThatIllegalStateException()
                    .isThrownBy(() -> event.exportPci(device))
                    .withMessage("The Sync event context imported " + PLACE
                            + " cannot be exported: it belongs to another process");
            Completion<Long> wait = event.submit(SyncEventOperation.waitEqual(1));
            host.kill();
            assertThatExceptionOfType(TaskFailedException.class)
                    .isThrownBy(() -> wait.await(LONG))
                    .withMessageContaining("doca_sync_event_task_wait_eq failed with DOCA_ERROR_IO_FAILED");
            assertThat(event.failure()).isPresent();
        }
    }

    @Test
    void worksOnALoop() throws Exception {
        Requirements.waitingTasks();
        try (ProgressLoop loop =
                ProgressLoop.builder().idleStrategy(IdleStrategy.eventDriven()).start()) {
            SyncEventContext event = local().tasks().maxTasks(2).start(loop);
            List<CompletableFuture<Long>> waits = new ArrayList<>();
            List<CompletableFuture<Long>> additions = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                waits.add(event.submit(SyncEventOperation.waitEqual(20)));
            }
            for (int i = 0; i < 20; i++) {
                additions.add(event.submit(SyncEventOperation.add(1)));
            }
            assertThat(additions)
                    .extracting(addition ->
                            addition.orTimeout(Await.LIMIT_S, TimeUnit.SECONDS).join())
                    .containsExactlyInAnyOrder(
                            0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L, 12L, 13L, 14L, 15L, 16L, 17L, 18L, 19L);
            assertThat(waits)
                    .allSatisfy(wait -> assertThat(wait.orTimeout(Await.LIMIT_S, TimeUnit.SECONDS)
                                    .join())
                            .isEqualTo(20));
            List<CompletableFuture<Long>> left = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                left.add(event.submit(SyncEventOperation.waitEqual(1)));
            }
            event.close();
            assertThat(left)
                    .allSatisfy(wait -> assertThatThrownBy(() -> wait.orTimeout(Await.LIMIT_S, TimeUnit.SECONDS)
                                    .join())
                            .hasCauseInstanceOf(Exception.class));
        }
    }

    @Test
    @NeedsEmulator
    void readsTheCapabilitiesOfDevices() throws Exception {
        Requirements.waitingTasks();
        SyncEventCapabilities capabilities = SyncEventCapabilities.of(device.info());
        assertThat(capabilities.tasks())
                .containsExactlyInAnyOrder(
                        SyncEventTaskType.GET,
                        SyncEventTaskType.SET,
                        SyncEventTaskType.ADD,
                        SyncEventTaskType.WAIT_EQUAL,
                        SyncEventTaskType.WAIT_NOT_EQUAL);
        assertThat(capabilities.exportPci()).isTrue();
        assertThat(capabilities.createFromExportPci()).isTrue();
        assertThat(capabilities.exportRdma()).isTrue();
        assertThat(capabilities.createFromExportRdma()).isTrue();
    }
}
