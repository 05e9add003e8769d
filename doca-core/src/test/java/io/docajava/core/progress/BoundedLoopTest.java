/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.docajava.testing.Await;
import io.docajava.testing.FullTests;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the queue of a loop when it is full, and when the loop ends meanwhile. */
@Timeout(600)
class BoundedLoopTest {

    private static final int ROUNDS = FullTests.amount(10, 100);

    private final CountDownLatch leave = new CountDownLatch(1);

    /** Returns a loop whose queue, including the running work, is full until {@link #leave}. */
    private ProgressLoop fullLoop(ProgressLoop.Builder builder, List<CompletableFuture<String>> work) {
        ProgressLoop loop = builder.name("mover").maxQueued(3).start();
        CountDownLatch entered = new CountDownLatch(1);
        work.add(loop.call(engine -> {
            entered.countDown();
            leave.await();
            return "busy";
        }));
        await(entered);
        work.add(loop.call(engine -> "second"));
        work.add(loop.call(engine -> "third"));
        return loop;
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(Await.LIMIT_S, TimeUnit.SECONDS))
                    .as("waits for the loop to be busy")
                    .isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Submits work on another thread, and returns when that thread waits for room. */
    private static Blocked block(ProgressLoop loop) {
        FutureTask<CompletableFuture<String>> asking = new FutureTask<>(() -> loop.call(engine -> "more"));
        Thread thread = Thread.ofPlatform().daemon().start(asking);
        while (thread.getState() != Thread.State.WAITING) {
            assertThat(asking.isDone()).isFalse();
            Thread.onSpinWait();
        }
        return new Blocked(thread, asking);
    }

    private record Blocked(Thread thread, FutureTask<CompletableFuture<String>> asking) {

        String result() throws Exception {
            return Await.result(Background.result(asking), "the submission");
        }
    }

    @Test
    void aFullQueueMakesCallersWait() throws Exception {
        List<CompletableFuture<String>> work = new ArrayList<>();
        try (ProgressLoop loop = fullLoop(ProgressLoop.builder(), work)) {
            Blocked first = block(loop);
            Blocked second = block(loop);
            leave.countDown();
            assertThat(first.result()).isEqualTo("more");
            assertThat(second.result()).isEqualTo("more");
            assertThat(work).extracting(CompletableFuture::join).containsExactly("busy", "second", "third");
        }
    }

    @Test
    void aFullQueueMayRefuse() {
        List<CompletableFuture<String>> work = new ArrayList<>();
        try (ProgressLoop loop = fullLoop(ProgressLoop.builder().rejectWhenFull(true), work)) {
            assertThatThrownBy(() -> loop.call(engine -> "more"))
                    .isInstanceOf(RejectedExecutionException.class)
                    .hasMessage("ProgressLoop \"mover\" is full: it has as much work queued as its limit allows, which"
                            + " is 3; maxQueued() of the loop sets it");
            assertThatThrownBy(() -> loop.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
            leave.countDown();
            assertThat(work).extracting(CompletableFuture::join).containsExactly("busy", "second", "third");
            // Retries, as the loop may free the places a moment after the futures are done.
            assertThat(askUntilTaken(loop).join()).isEqualTo("more");
        }
    }

    private static CompletableFuture<String> askUntilTaken(ProgressLoop loop) {
        while (true) {
            try {
                return loop.call(engine -> "more");
            } catch (RejectedExecutionException full) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void anInterruptEndsTheWait() throws Exception {
        List<CompletableFuture<String>> work = new ArrayList<>();
        try (ProgressLoop loop = fullLoop(ProgressLoop.builder(), work)) {
            FutureTask<Throwable> asking = new FutureTask<>(() -> {
                Throwable thrown = catchThrowable(() -> loop.call(engine -> "more"));
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
                return Objects.requireNonNull(thrown);
            });
            Thread thread = Thread.ofPlatform().daemon().start(asking);
            Await.until(() -> thread.getState() == Thread.State.WAITING, "the thread to wait for room");
            thread.interrupt();
            assertThat(Background.result(asking))
                    .isInstanceOf(RejectedExecutionException.class)
                    .hasMessage(
                            "Interrupted while waiting for room. ProgressLoop \"mover\" is full: it has as much work"
                                    + " queued as its limit allows, which is 3; maxQueued() of the loop sets it")
                    .hasCauseInstanceOf(InterruptedException.class);
            leave.countDown();
            assertThat(work).extracting(CompletableFuture::join).containsExactly("busy", "second", "third");
        }
    }

    /** An interrupt is ignored if the call does not have to wait. */
    @Test
    void anInterruptedThreadIsServedWhileThereIsRoom() {
        try (ProgressLoop loop = ProgressLoop.start()) {
            Thread.currentThread().interrupt();
            CompletableFuture<String> call = loop.call(engine -> "done");
            assertThat(Thread.interrupted()).isTrue();
            assertThat(call.join()).isEqualTo("done");
        }
    }

    @Test
    void closingRefusesWhoWaitsForRoomAndDoesWhatIsQueued() throws Exception {
        List<CompletableFuture<String>> work = new ArrayList<>();
        ProgressLoop loop = fullLoop(ProgressLoop.builder(), work);
        List<Blocked> blocked = List.of(block(loop), block(loop), block(loop));
        FutureTask<Boolean> closing = Background.start(() -> {
            loop.close();
            return true;
        });
        for (Blocked each : blocked) {
            assertThatThrownBy(() -> each.result())
                    .cause()
                    .isInstanceOf(RejectedExecutionException.class)
                    .hasMessage("ProgressLoop \"mover\" is closed");
        }
        leave.countDown();
        assertThat(Background.result(closing)).isTrue();
        assertThat(work).extracting(CompletableFuture::join).containsExactly("busy", "second", "third");
    }

    /** The loop would wait for itself. */
    @Test
    void theLoopsOwnThreadNeverWaits() {
        for (boolean rejects : new boolean[] {false, true}) {
            try (ProgressLoop loop =
                    ProgressLoop.builder().maxQueued(1).rejectWhenFull(rejects).start()) {
                List<CompletableFuture<Integer>> inner = loop.call(engine -> {
                            List<CompletableFuture<Integer>> calls = new ArrayList<>();
                            for (int i = 0; i < 100; i++) {
                                int number = i;
                                calls.add(loop.call(own -> number));
                            }
                            return calls;
                        })
                        .join();
                for (int i = 0; i < 100; i++) {
                    assertThat(inner.get(i).join()).isEqualTo(i);
                }
            }
        }
    }

    /** Two loops with full queues that submit work to each other would deadlock. */
    @Test
    void theThreadOfAnotherLoopNeverWaits() throws Exception {
        List<CompletableFuture<String>> work = new ArrayList<>();
        try (ProgressLoop loop = fullLoop(ProgressLoop.builder(), work);
                ProgressLoop other = ProgressLoop.builder().name("asker").start()) {
            CompletableFuture<Boolean> asking =
                    other.call(engine -> loop.call(inner -> "more").isDone());
            assertThatThrownBy(() -> Await.result(asking, "the refused submission"))
                    .cause()
                    .isInstanceOf(RejectedExecutionException.class)
                    .hasMessage("ProgressLoop \"mover\" is full: it has as much work queued as its limit allows, which"
                            + " is 3; maxQueued() of the loop sets it. The thread of ProgressLoop \"asker\" does not wait for room, as two loops could"
                            + " wait for each other forever");
            leave.countDown();
            assertThat(work).extracting(CompletableFuture::join).containsExactly("busy", "second", "third");
        }
    }

    /** Each loop repeatedly submits work to the other loop, which has room for one piece of work. */
    @Test
    void loopsThatSubmitToEachOtherKeepRunning() throws Exception {
        try (ProgressLoop left = ProgressLoop.builder().maxQueued(1).start();
                ProgressLoop right = ProgressLoop.builder().maxQueued(1).start()) {
            CompletableFuture<Integer> toRight = left.call(engine -> askMany(right));
            CompletableFuture<Integer> toLeft = right.call(engine -> askMany(left));
            assertThat(Await.result(toRight, "the submissions to the right loop")
                            + Await.result(toLeft, "the submissions to the left loop"))
                    .isLessThan(20_000);
        }
    }

    /** Submits many calls and returns the number of accepted ones. */
    private static int askMany(ProgressLoop loop) {
        int accepted = 0;
        for (int i = 0; i < 10_000; i++) {
            try {
                assertThat(loop.call(engine -> "done").isCancelled()).isFalse();
                accepted++;
            } catch (RejectedExecutionException full) {
                Thread.onSpinWait();
            }
        }
        return accepted;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 4096})
    void servesEachCallerInItsOrder(int maxQueued) throws Exception {
        List<List<Integer>> done = new ArrayList<>();
        try (ProgressLoop loop = ProgressLoop.builder().maxQueued(maxQueued).start();
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> ends = new ArrayList<>();
            for (int caller = 0; caller < 4; caller++) {
                List<Integer> own = new ArrayList<>();
                done.add(own);
                ends.add(callers.submit(() -> {
                    for (int i = 0; i < 2000; i++) {
                        int number = i;
                        CompletableFuture<Boolean> call = loop.call(engine -> own.add(number));
                        assertThat(call.isCompletedExceptionally()).isFalse();
                    }
                }));
            }
            for (Future<?> end : ends) {
                Await.result(end, "the calls of a thread");
            }
        }
        assertThat(done).allSatisfy(own -> assertThat(own).hasSize(2000).isSorted());
    }

    /** A call during closing is either refused, or its future is done after the loop has been closed. */
    @Test
    void closingLosesNothing() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            ProgressLoop loop = ProgressLoop.builder().maxQueued(8).start();
            CountDownLatch begun = new CountDownLatch(4);
            List<FutureTask<List<CompletableFuture<Integer>>>> callers = new ArrayList<>();
            for (int caller = 0; caller < 4; caller++) {
                callers.add(Background.start(() -> {
                    List<CompletableFuture<Integer>> asked = new ArrayList<>();
                    try {
                        while (true) {
                            int number = asked.size();
                            asked.add(loop.call(engine -> number));
                            if (number == 0) {
                                begun.countDown();
                            }
                        }
                    } catch (RejectedExecutionException closed) {
                        return asked;
                    }
                }));
            }
            await(begun);
            loop.close();
            for (FutureTask<List<CompletableFuture<Integer>>> caller : callers) {
                List<CompletableFuture<Integer>> asked = Background.result(caller);
                assertThat(asked)
                        .isNotEmpty()
                        .allSatisfy(future -> assertThat(future).isDone());
            }
        }
    }

    /** Otherwise the close would wait for them. */
    @Test
    void operationsThatOtherThreadsCompleteAreForgotten() throws Exception {
        List<Thread> threads = new ArrayList<>();
        try (ProgressLoop loop = ProgressLoop.builder()
                .idleStrategy(IdleStrategy.eventDriven(0))
                .closeTimeout(Duration.ofHours(1))
                .start()) {
            for (int i = 0; i < 10 * ROUNDS; i++) {
                Completion<String> operation = ProgressLoopTest.operation(loop);
                threads.add(Thread.ofPlatform().start(() -> operation.complete("done")));
                assertThat(Await.result(operation, "the completed operation")).isEqualTo("done");
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @Test
    void refusesLimitsThatMakeNoSense() {
        for (int limit : new int[] {0, -1, (1 << 29) + 1}) {
            assertThatThrownBy(() -> ProgressLoop.builder().maxQueued(limit))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("A loop can queue from 1 to 536870912 pieces of work: " + limit);
        }
    }
}
