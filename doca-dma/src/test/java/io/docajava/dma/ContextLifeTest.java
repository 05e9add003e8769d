/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.docajava.DocaException;
import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.context.Context;
import io.docajava.core.context.ContextListener;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import io.docajava.core.progress.Completion;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.Await;
import io.docajava.testing.CompletionModes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that contexts stop, fail, restart and close, from outside and from callbacks. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
class ContextLifeTest extends CompletionModes {

    private static final String CONTEXT = "DMA context on " + Lab.DEVICE;
    private static final String STOPPED = CONTEXT + " is idle: it was stopped; restart() starts it again";

    @Test
    void runsFromTheStart() {
        try (Lab lab = new Lab()) {
            assertThat(lab.dma.state()).isEqualTo(ContextState.RUNNING);
            assertThat(lab.dma.device()).isSameAs(lab.device);
            assertThat(lab.dma.engine()).isSameAs(lab.engine);
            assertThat(lab.dma.maxTasks()).isEqualTo(8);
            assertThat(lab.dma.inFlight()).isZero();
            assertThat(lab.dma).hasToString(CONTEXT);
        }
    }

    @Test
    void stopsAtOnceWhenNothingIsInFlight() throws Exception {
        try (Lab lab = new Lab()) {
            List<String> changes = recordChanges(lab);
            MapRange source = lab.filled(0, 10);
            MapRange target = lab.memory.range(1000, 10);
            // The used task is kept for the next copy. It must not prevent the context from stopping.
            lab.dma.copy(source, target).await();
            lab.dma.stop();
            assertThat(lab.dma.state()).isEqualTo(ContextState.IDLE);
            assertThat(changes).containsExactly("RUNNING to IDLE");
            lab.dma.stop();
            assertThat(changes).hasSize(1);
            assertThat(lab.dma.copy(source, target).exceptionNow())
                    .isInstanceOf(ContextNotRunningException.class)
                    .hasMessage(STOPPED);

            lab.dma.restart();
            assertThat(changes).containsExactly("RUNNING to IDLE", "IDLE to RUNNING");
            assertThat(lab.dma.copy(source, target).await()).isEqualTo(10);
            assertThatThrownBy(lab.dma::restart)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(CONTEXT + " is running already");
        }
    }

    @Test
    void endsWhatIsInFlightWhenItStops() throws Exception {
        try (Lab lab = new Lab()) {
            List<String> changes = recordChanges(lab);
            MapRange source = lab.filled(0, 10);
            Completion<Long> copy = lab.dma.copy(source, lab.memory.range(1000, 10));
            Completion<Long> another = lab.dma.copy(source, lab.memory.range(2000, 10));
            lab.dma.stop();
            assertThat(lab.dma.state()).isEqualTo(ContextState.STOPPING);
            assertThat(lab.dma.copy(source, lab.memory.range(3000, 10)).exceptionNow())
                    .isInstanceOf(ContextNotRunningException.class)
                    .hasMessage(CONTEXT + " is stopping: it was stopped; restart() starts it again");

            lab.awaitIdle(Await.LIMIT);
            assertThat(changes).containsExactly("RUNNING to STOPPING", "STOPPING to IDLE");
            assertThat(copy).isDone();
            assertThat(another).isDone();
            assertThat(lab.dma.inFlight()).isZero();

            lab.dma.restart();
            assertThat(lab.dma.copy(source, lab.memory.range(3000, 10)).await()).isEqualTo(10);
        }
    }

    @Test
    void restartWaitsForTheStop() throws Exception {
        try (Lab lab = new Lab()) {
            MapRange source = lab.filled(0, 10);
            Completion<Long> copy = lab.dma.copy(source, lab.memory.range(1000, 10));
            lab.dma.stop();
            lab.dma.restart();
            assertThat(copy).isDone();
            assertThat(lab.dma.state()).isEqualTo(ContextState.RUNNING);
            assertThat(lab.dma.copy(source, lab.memory.range(3000, 10)).await()).isEqualTo(10);
        }
    }

    @Test
    void restartGivesWayToCallbacksThatDoMore() throws Exception {
        try (Lab lab = new Lab()) {
            MapRange source = lab.filled(0, 10);
            ContextListener restarting = (context, previous, next) -> {
                if (next == ContextState.IDLE) {
                    context.restart();
                }
            };
            lab.dma.addListener(restarting);
            Completion<Long> copy = lab.dma.copy(source, lab.memory.range(1000, 10));
            lab.dma.stop();
            lab.dma.restart();
            assertThat(copy).isDone();
            assertThat(lab.dma.state()).isEqualTo(ContextState.RUNNING);

            lab.dma.removeListener(restarting);
            lab.dma.addListener((context, previous, next) -> {
                if (next == ContextState.IDLE) {
                    context.close();
                }
            });
            copy = lab.dma.copy(source, lab.memory.range(2000, 10));
            lab.dma.stop();
            assertThatThrownBy(lab.dma::restart)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(CONTEXT + " is closed");
            assertThat(copy).isDone();
            assertThat(lab.reported).isEmpty();
        }
    }

    @Test
    void aFailureStopsTheContextAndFailsAllThatIsInFlight() throws Exception {
        try (Lab lab = new Lab()) {
            List<String> changes = recordChanges(lab);
            Buf bad = lab.data(0, 64);
            Buf good = lab.data(1000, 64);
            Buf target = lab.space(2000, 64);
            Lab.spoil(bad);
            Completion<Long> failing = lab.dma.copy(bad, target);
            Completion<Long> aborted = lab.dma.copy(good, lab.space(3000, 64));
            DmaTask task = lab.dma.task(good, lab.space(4000, 64));
            task.submit();

            assertThatThrownBy(() -> failing.await()).isInstanceOfSatisfying(DocaCallException.class, failure -> {
                assertThat(failure.error()).isEqualTo(DocaError.IO_FAILED);
                assertThat(failure.function()).isEqualTo("doca_dma_task_memcpy");
                assertThat(failure)
                        .hasMessageStartingWith("Copying 64 bytes from 0 of Mmap of 1048576 bytes on " + Lab.DEVICE
                                + " to 2000 of Mmap of 1048576 bytes on " + Lab.DEVICE
                                + ": doca_dma_task_memcpy failed with DOCA_ERROR_IO_FAILED"
                                + " (Input/Output Operation Failed)");
            });
            lab.awaitIdle(Await.LIMIT);
            assertThat(changes).containsExactly("RUNNING to STOPPING", "STOPPING to IDLE");
            assertThat(aborted).isDone();
            assertThat(task.isDone()).isTrue();
            assertThat(target.dataLength()).isZero();

            assertThat(lab.dma.copy(good, target).exceptionNow())
                    .isInstanceOf(ContextNotRunningException.class)
                    .hasMessage(CONTEXT
                            + " is idle: it stopped itself after an operation failed; restart() makes it usable again")
                    .cause()
                    .hasMessageStartingWith("Copying 64 bytes from ");
            assertThatThrownBy(task::submit)
                    .isInstanceOf(ContextNotRunningException.class)
                    .hasMessageContaining("it stopped itself after an operation failed");

            lab.dma.restart();
            assertThat(lab.dma.copy(good, target).await()).isEqualTo(64);
            lab.assertCopied(1000, 2000, 64);
            task.target(lab.space(5000, 64)).submit();
            lab.drain();
            assertThat(task.status()).isEqualTo(TaskStatus.SUCCEEDED);
            task.close();
        }
    }

    @Test
    void failuresReachEveryFormOfCopy() throws Exception {
        try (Lab lab = new Lab()) {
            Buf bad = lab.data(0, 64);
            Lab.spoil(bad);
            List<DocaCallException> failures = new ArrayList<>();
            Buf target = lab.space(1000, 64);
            lab.dma.copy(bad, target, (end, failure) -> {
                assertThat(end.source()).isEqualTo(lab.memory.range(0, 64));
                assertThat(end.target()).isEqualTo(lab.memory.range(1000, 64));
                assertThat(target.dataLength()).isZero();
                failures.add(failure);
            });
            lab.drain();
            assertThat(failures)
                    .singleElement()
                    .satisfies(failure -> assertThat(failure.error()).isEqualTo(DocaError.IO_FAILED));

            lab.dma.restart();
            try (DmaTask task = lab.dma.task(bad, lab.space(2000, 64))) {
                task.submit();
                lab.drain();
                assertThat(task.status()).isEqualTo(TaskStatus.FAILED);
                assertThat(task.isDone()).isTrue();
                assertThat(task.bytes()).isZero();
                assertThat(task.failure())
                        .hasValueSatisfying(
                                failure -> assertThat(failure.error()).isEqualTo(DocaError.IO_FAILED));
                Lab.repair(bad);
                lab.dma.restart();
                task.submit();
                assertThat(task.failure()).isEmpty();
                lab.drain();
                assertThat(task.status()).isEqualTo(TaskStatus.SUCCEEDED);
            }
            assertThat(lab.reported).isEmpty();
        }
    }

    /** Acts as a service that must keep running: it retries every failed copy as soon as the context has recovered. */
    @Test
    void aListenerCanRestartTheContext() throws Exception {
        try (Lab lab = new Lab()) {
            Buf bad = lab.data(0, 64);
            Buf target = lab.space(1000, 64);
            List<Completion<Long>> retried = new ArrayList<>();
            lab.dma.addListener((context, previous, next) -> {
                if (next == ContextState.IDLE) {
                    context.restart();
                    Lab.repair(bad);
                    retried.add(lab.dma.copy(bad, target));
                }
            });
            Lab.spoil(bad);
            Completion<Long> failing = lab.dma.copy(bad, target);
            assertThat(lab.engine.await(
                            () -> retried.size() == 1 && retried.getFirst().isDone(), Await.LIMIT))
                    .as("waits for the end of the copy that was submitted again")
                    .isTrue();
            assertThat(failing).isCompletedExceptionally();
            assertThat(retried.getFirst()).isCompletedWithValue(64L);
            assertThat(lab.reported).isEmpty();
        }
    }

    @Test
    void aHandlerSeesThatTheContextHasStopped() throws Exception {
        try (Lab lab = new Lab()) {
            Buf bad = lab.data(0, 64);
            Lab.spoil(bad);
            List<Throwable> refused = new ArrayList<>();
            Buf target = lab.space(1000, 64);
            lab.dma.copy(bad, target, (end, failure) -> {
                assertThat(failure).isNotNull();
                refused.add(lab.dma.copy(bad, target).exceptionNow());
            });
            lab.drain();
            assertThat(refused)
                    .singleElement()
                    .satisfies(failure -> assertThat(failure)
                            .isInstanceOf(ContextNotRunningException.class)
                            .hasMessageContaining("it stopped itself after an operation failed"));
            assertThat(lab.reported).isEmpty();
        }
    }

    @Test
    void listenersAreCalledOnceAndMayThrow() {
        try (Lab lab = new Lab()) {
            List<String> changes = recordChanges(lab);
            ArithmeticException thrown = new ArithmeticException("listener");
            ContextListener bad = (context, previous, next) -> {
                throw thrown;
            };
            lab.dma.addListener(bad);
            lab.dma.addListener(bad);
            List<String> later = recordChanges(lab);
            lab.dma.stop();
            assertThat(changes).containsExactly("RUNNING to IDLE");
            assertThat(later).containsExactly("RUNNING to IDLE");
            assertThat(lab.reported).containsExactly(thrown);
            lab.dma.removeListener(bad);
            lab.dma.restart();
            assertThat(later).hasSize(2);
            assertThat(lab.reported).hasSize(1);
        }
    }

    @Test
    void aCallbackCanStop() throws Exception {
        try (Lab lab = new Lab()) {
            List<String> changes = recordChanges(lab);
            MapRange source = lab.filled(0, 10);
            List<Throwable> refused = new ArrayList<>();
            lab.dma.copy(
                    source,
                    lab.memory.range(1000, 10),
                    new Repeat(
                            () -> {
                                lab.dma.stop();
                                refused.add(lab.dma
                                        .copy(source, lab.memory.range(3000, 10))
                                        .exceptionNow());
                                return false;
                            },
                            lab.dma));
            Completion<Long> other = lab.dma.copy(source, lab.memory.range(2000, 10));
            lab.awaitIdle(Await.LIMIT);
            assertThat(other).isDone();
            assertThat(refused)
                    .singleElement()
                    .satisfies(failure -> assertThat(failure)
                            .isInstanceOf(ContextNotRunningException.class)
                            .hasMessageContaining("it was stopped"));
            assertThat(changes.getLast()).endsWith("to IDLE");
            assertThat(lab.reported).isEmpty();
            lab.dma.restart();
            assertThat(lab.dma.copy(source, lab.memory.range(3000, 10)).await()).isEqualTo(10);
        }
    }

    @Test
    void aCallbackCannotWaitForTheStopToRestart() throws Exception {
        try (Lab lab = new Lab()) {
            MapRange source = lab.filled(0, 10);
            List<Throwable> refused = new ArrayList<>();
            Handler<CopyEnd> stopping = new Repeat(
                    () -> {
                        if (refused.isEmpty()) {
                            lab.dma.stop();
                            refused.add(catchThrowable(lab.dma::restart));
                        }
                        return false;
                    },
                    lab.dma);
            for (int i = 0; i < 3; i++) {
                lab.dma.copy(source, lab.memory.range(1000 + i * 100, 10), new MayFail(stopping));
            }
            lab.awaitIdle(Await.LIMIT);
            assertThat(refused)
                    .singleElement()
                    .satisfies(failure -> assertThat(failure)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageMatching(
                                    "DMA context on 0000:03:00.0 \\(mlx5_0\\) is still stopping, with [0-9] tasks?"
                                            + " in flight: a callback cannot wait for that, but a state listener"
                                            + " can restart it when it is idle"));
            assertThat(lab.reported).isEmpty();
        }
    }

    @Test
    void listenersOfTheBuilderLearnOfTheStart() {
        List<ContextState> states = new ArrayList<>();
        Lab lab = new Lab(builder -> builder.listener((context, previous, next) -> {
            assertThat(context.state()).isEqualTo(next);
            states.add(previous);
            states.add(next);
        }));
        assertThat(states).containsExactly(ContextState.IDLE, ContextState.RUNNING);
        lab.close();
        assertThat(states)
                .containsExactly(ContextState.IDLE, ContextState.RUNNING, ContextState.RUNNING, ContextState.IDLE);
    }

    /** A context that could not get its listeners would stay open, and nobody could close it. */
    @Test
    void listenersNeedNotBeComparable() {
        ContextListener listener = new ContextListener() {
            @Override
            public void stateChanged(Context context, ContextState previous, ContextState next) {}

            @Override
            public boolean equals(Object other) {
                throw new IllegalStateException("equals of the listener throws");
            }

            @Override
            public int hashCode() {
                return 1;
            }
        };
        try (Lab lab = new Lab()) {
            DmaContextBuilder builder = DmaContext.builder(lab.device).listener(listener);
            assertThatThrownBy(() ->
                            builder.listener((context, previous, next) -> {}).listener(listener))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("equals of the listener throws");
            builder.start(lab.engine).close();
        }
    }

    @Test
    void aContextClosedByACallbackOfAnotherCallsItsListeners() throws Exception {
        Lab lab = new Lab();
        List<ContextState> states = new ArrayList<>();
        DmaContext other = DmaContext.builder(lab.device).start(lab.engine);
        other.addListener((context, previous, next) -> states.add(next));
        lab.dma.copy(
                lab.filled(0, 10),
                lab.memory.range(1000, 10),
                new Repeat(
                        () -> {
                            other.close();
                            return false;
                        },
                        lab.dma));
        lab.drain();
        assertThat(states).containsExactly(ContextState.IDLE);
        assertThat(lab.reported).isEmpty();
        assertThatThrownBy(other::inFlight)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(CONTEXT + " is closed");
        lab.close();
    }

    @Test
    void aCallbackCanCloseTheContext() throws Exception {
        Lab lab = new Lab();
        MapRange source = lab.filled(0, 10);
        Handler<CopyEnd> closing = new Repeat(
                () -> {
                    lab.dma.close();
                    return false;
                },
                lab.dma);
        for (int i = 0; i < 3; i++) {
            lab.dma.copy(source, lab.memory.range(1000 + i * 100, 10), new MayFail(closing));
        }
        assertThat(lab.engine.await(() -> isClosed(lab), Await.LIMIT))
                .as("waits for the close of the context")
                .isTrue();
        lab.dma.close();
        assertThat(lab.reported).isEmpty();
        assertThatThrownBy(() -> lab.dma.copy(source, source))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(CONTEXT + " is closed");
        lab.close();
    }

    @Test
    void aSecondCloseWaitsForTheOneOfACallback() throws Exception {
        Lab lab = new Lab();
        MapRange source = lab.filled(0, 10);
        MapRange last = lab.filled(100, 10);
        boolean[] closing = {false};
        lab.dma.copy(
                source,
                lab.memory.range(1000, 10),
                new MayFail(new Repeat(
                        () -> {
                            lab.dma.close();
                            closing[0] = true;
                            return false;
                        },
                        lab.dma)));
        List<Completion<Long>> others = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            others.add(lab.dma.copy(last, lab.memory.range(2000 + i * 100, 10)));
        }
        assertThat(lab.engine.await(() -> closing[0], Await.LIMIT))
                .as("waits for the callback that closes")
                .isTrue();
        lab.dma.close();
        assertThat(isClosed(lab)).isTrue();
        assertThat(others).allSatisfy(copy -> assertThat(copy).isDone());
        lab.close();
    }

    @Test
    void aListenerCanCloseWhatACallbackIsClosing() throws Exception {
        try (Lab lab = new Lab()) {
            lab.dma.addListener((context, previous, next) -> {
                if (next == ContextState.IDLE) {
                    context.close();
                }
            });
            Completion<Long> first = lab.dma.copy(lab.filled(0, 10), lab.memory.range(1000, 10));
            Completion<Long> second = lab.dma.copy(lab.filled(100, 10), lab.memory.range(2000, 10));
            Completion<Long> closed = first.whenComplete((bytes, failure) -> lab.dma.close());
            assertThat(lab.engine.await(
                            () -> closed.isDone() && second.isDone() && lab.dma.state() == ContextState.IDLE,
                            Await.LIMIT))
                    .as("waits for the end of both copies and the stop")
                    .isTrue();
            lab.engine.progressAll();
            assertThat(lab.reported).isEmpty();
        }
    }

    @Test
    void listenersLearnOfTheStopBeforeACallbackThatClosedAsWell() throws Exception {
        try (Lab lab = new Lab()) {
            List<String> changes = recordChanges(lab);
            CompletableFuture<Void> closed = lab.dma
                    .copy(lab.filled(0, 10), lab.memory.range(1000, 10))
                    .thenRun(() -> {
                        lab.dma.stop();
                        lab.dma.close();
                    });
            assertThat(lab.engine.await(
                            () -> closed.isDone()
                                    && !changes.isEmpty()
                                    && changes.getLast().endsWith("to IDLE"),
                            Await.LIMIT))
                    .as("waits for the end of the copy and the stop")
                    .isTrue();
            assertThat(lab.reported).isEmpty();
            assertThatThrownBy(lab.dma::restart)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(CONTEXT + " is closed");
        }
    }

    @Test
    void aListenerCanCloseTheContextWhenItIsIdle() {
        Lab lab = new Lab();
        lab.dma.addListener((context, previous, next) -> context.close());
        lab.dma.stop();
        assertThat(isClosed(lab)).isTrue();
        assertThat(lab.reported).isEmpty();
        lab.close();
    }

    @Test
    void closeEndsWhatIsInFlight() {
        Lab lab = new Lab();
        Completion<Long> copy = lab.dma.copy(lab.filled(0, 10), lab.memory.range(1000, 10));
        DmaTask task = lab.dma.task(lab.filled(100, 10), lab.memory.range(2000, 10));
        task.submit();
        lab.dma.close();
        assertThat(copy).isDone();
        assertThat(task.isDone()).isTrue();
        assertThatThrownBy(task::submit)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(CONTEXT + " is closed");
        task.close();
        lab.dma.close();
        lab.close();
    }

    @Test
    void closeReportsWhatItCouldNotEndInTime() throws Exception {
        Lab lab = new Lab(builder -> builder.maxTasks(300).closeTimeout(Duration.ZERO));
        MapRange source = lab.filled(0, 10);
        List<Completion<Long>> copies = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            copies.add(lab.dma.copy(source, lab.memory.range(1000 + i * 16, 10)));
        }
        // One round of progress is not enough for this many copies.
        assertThatThrownBy(lab.dma::close)
                .isExactlyInstanceOf(DocaException.class)
                .hasMessageMatching(
                        "DMA context on 0000:03:00.0 \\(mlx5_0\\) cannot close: it is stopping with [0-9]+ tasks"
                                + " in flight after 0 ms:( copying 10 bytes from 0 of Mmap of 1048576 bytes on [^;]* to"
                                + " [0-9]+ of Mmap of 1048576 bytes on [^;]*;){5} and [0-9]+ more");
        assertThat(lab.dma.state()).isEqualTo(ContextState.STOPPING);
        lab.drain();
        assertThat(copies).allSatisfy(copy -> assertThat(copy).isDone());
        lab.awaitIdle(Await.LIMIT);
        lab.close();
    }

    @Test
    void contextsOfOneEngineAreIndependent() throws Exception {
        try (Lab lab = new Lab();
                DmaContext second = DmaContext.builder(lab.device).start(lab.engine)) {
            Buf bad = lab.data(0, 64);
            Lab.spoil(bad);
            Completion<Long> failing = lab.dma.copy(bad, lab.space(1000, 64));
            Completion<Long> fine = second.copy(lab.data(100, 64), lab.space(2000, 64));
            assertThat(fine.await()).isEqualTo(64);
            assertThatThrownBy(() -> failing.await()).isInstanceOf(DocaCallException.class);
            assertThat(second.state()).isEqualTo(ContextState.RUNNING);
            lab.drain();
        }
    }

    /** One engine serves many contexts, one after the other. */
    @Test
    void anEngineServesManyContextsInTurn() throws Exception {
        try (Lab lab = new Lab()) {
            MapRange source = lab.filled(0, 10);
            MapRange target = lab.memory.range(1000, 10);
            for (int i = 0; i < 50; i++) {
                try (DmaContext dma =
                        DmaContext.builder(lab.device).maxTasks(1 + i).start(lab.engine)) {
                    assertThat(dma.copy(source, target).await()).isEqualTo(10);
                }
            }
        }
    }

    @Test
    void waitsForCompletionsByEvents() throws Exception {
        try (Lab lab = new Lab()) {
            MapRange source = lab.filled(0, 10);
            Completion<Long> before = lab.dma.copy(source, lab.memory.range(1000, 10));
            assertThat(lab.engine.awaitEvent(Await.LIMIT)).isTrue();
            while (!before.isDone()) {
                lab.engine.progress();
            }
            // The card may signal later for completions that were already found: work queues are readable until it has.
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            boolean isWoken;
            long start;
            do {
                lab.engine.progressAll();
                start = System.nanoTime();
                isWoken = lab.engine.awaitEvent(Duration.ofMillis(60));
            } while (isWoken && start - end < 0);
            assertThat(isWoken).isFalse();
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(60));
        }
    }

    private static boolean isClosed(Lab lab) {
        return catchThrowable(lab.dma::inFlight) instanceof IllegalStateException refused
                && String.valueOf(refused.getMessage()).endsWith(" is closed");
    }

    private static List<String> recordChanges(Lab lab) {
        List<String> changes = new ArrayList<>();
        lab.dma.addListener((context, previous, next) -> {
            assertThat(context).isSameAs(lab.dma);
            changes.add(previous + " to " + next);
        });
        return changes;
    }

    /** Accepts a failure of a copy whose context stops meanwhile. */
    private record MayFail(Handler<CopyEnd> handler) implements Handler<CopyEnd> {

        @Override
        public void ended(CopyEnd end, @Nullable TaskFailedException failure) {
            if (failure == null) {
                handler.ended(end, null);
            } else {
                assertThat(failure.error()).isEqualTo(DocaError.IO_FAILED);
            }
        }
    }
}
