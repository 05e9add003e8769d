/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.docajava.core.DocaCallException;
import io.docajava.core.testing.OtherThread;
import io.docajava.testing.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.api.ThrowingConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
@SuppressWarnings("FutureReturnValueIgnored") // stages are observed by their effects
class CompletionTest {

    private ProgressEngine engine;
    private Completion<Long> completion;

    @BeforeEach
    void create() {
        engine = ProgressEngine.create();
        completion = new Completion<>(engine);
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void givesTheResult() throws Exception {
        completion.complete(5L);
        assertThat(completion.await()).isEqualTo(5);
        assertThat(completion.await(Duration.ZERO)).isEqualTo(5);
        assertThat(completion.get()).isEqualTo(5);
        assertThat(completion.get(0, TimeUnit.SECONDS)).isEqualTo(5);
        assertThat(completion.join()).isEqualTo(5);
    }

    @Test
    void progressesWhileItWaits() throws Exception {
        engine.idleStrategy(workCount -> completion.complete(7L));
        assertThat(completion.await()).isEqualTo(7);
    }

    @Test
    void wakesForAStageThatAnotherThreadCompletes() throws Exception {
        engine.idleStrategy(workCount -> sleep());
        CompletableFuture<Long> stage = completion.thenApplyAsync(bytes -> bytes + 1);
        completion.complete(1L);
        assertThat(engine.await(stage)).isEqualTo(2);
    }

    /** The JDK makes the stage of the one that is done, which is of another type or of another engine. */
    @Test
    void stagesOfAnyOtherStageAreOfThisEngine() throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (CompletableFuture<Long> other : List.of(
                CompletableFuture.completedFuture(3L),
                CompletableFuture.<Long>failedFuture(new IllegalStateException()))) {
            Completion<Void> accepted = completion.acceptEither(other, bytes -> threads.add(Thread.currentThread()));
            Completion<Long> applied = completion.applyToEither(other, bytes -> bytes + 1);
            Completion<Void> run = completion.runAfterEither(other, () -> threads.add(Thread.currentThread()));
            if (other.isCompletedExceptionally()) {
                assertThatThrownBy(accepted::await).isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(applied::await).isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(run::await).isInstanceOf(IllegalStateException.class);
            } else {
                accepted.await();
                assertThat(applied.await()).isEqualTo(4);
                run.await();
            }
        }
        assertThat(threads).containsExactly(Thread.currentThread(), Thread.currentThread());
    }

    @Test
    void givesUpAfterATimeAndCanBeAwaitedAgain() throws Exception {
        assertThatThrownBy(() -> completion.await(Duration.ofMillis(10)))
                .isInstanceOf(TimeoutException.class)
                .hasMessage("Not completed within 10 ms; the task is still in flight");
        assertThatThrownBy(() -> completion.await(Duration.ofNanos(500)))
                .isInstanceOf(TimeoutException.class)
                .hasMessage("Not completed within 500 ns; the task is still in flight");
        assertThatThrownBy(() -> completion.await(Duration.ofSeconds(Long.MIN_VALUE)))
                .isInstanceOf(TimeoutException.class)
                .hasMessage("Not completed within 0 ms; the task is still in flight");
        assertThat(completion).isNotDone();
        completion.complete(1L);
        assertThat(completion.await(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo(1);
    }

    @Test
    void aStageCanBePolledAnyNumberOfTimes() {
        Completion<Long> stage = completion.thenApply(bytes -> bytes + 1);
        for (int i = 0; i < 100; i++) {
            assertThatThrownBy(() -> stage.await(Duration.ZERO)).isInstanceOf(TimeoutException.class);
        }
        assertThat(stage.getNumberOfDependents()).isEqualTo(1);
    }

    @Test
    void throwsTheFailureItself() {
        DocaCallException failure = new DocaCallException("Copying failed", 17, "doca_dma_task_memcpy");
        completion.completeExceptionally(failure);
        assertThatThrownBy(() -> completion.await()).isSameAs(failure);
        assertThatThrownBy(completion::join)
                .isInstanceOf(CompletionException.class)
                .hasCause(failure);
        assertThatThrownBy(completion::get)
                .isInstanceOf(ExecutionException.class)
                .hasCause(failure);

        Completion<Long> error = new Completion<>(engine);
        error.completeExceptionally(new StackOverflowError("deep"));
        assertThatThrownBy(() -> error.await()).isInstanceOf(StackOverflowError.class);

        Completion<Long> checked = new Completion<>(engine);
        checked.completeExceptionally(new IOException("disk full"));
        assertThatThrownBy(() -> checked.await())
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(IOException.class)
                .hasMessage("disk full");
    }

    @Test
    void refusesToBlockTheThreadThatHasToCompleteIt() {
        String advice = "This thread runs the progress engine and would wait forever, as nothing completes meanwhile:"
                + " use await(), or go on in a dependent stage";
        CompletableFuture<Long> dependent = completion.thenApply(bytes -> bytes + 1);
        for (ThrowingCallable blocking : new ThrowingCallable[] {
            completion::join, completion::get, () -> completion.get(1, TimeUnit.DAYS), dependent::join, dependent::get
        }) {
            assertThatThrownBy(blocking)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(advice);
        }
    }

    @Test
    void otherThreadsMayBlock() throws Exception {
        FutureTask<Long> other = Background.start(completion::join);
        completion.complete(9L);
        assertThat(Background.result(other)).isEqualTo(9);
    }

    @Test
    void dependentStagesCanBeAwaitedToo() throws Exception {
        Completion<Long> next = completion.thenApply(bytes -> bytes * 2);
        completion.complete(4L);
        assertThat(next.await()).isEqualTo(8);
    }

    @Test
    void isCancelled() {
        List<Boolean> calls = new ArrayList<>();
        completion.listen(() -> calls.add(completion.isCancelled()));
        assertThat(completion.cancel(false)).isTrue();
        assertThat(completion.cancel(true)).isTrue();
        assertThat(completion.isCancelled()).isTrue();
        assertThat(calls).containsExactly(true);
        assertThat(completion.complete(2L)).isFalse();
        assertThatThrownBy(() -> completion.await()).isInstanceOf(CancellationException.class);
        assertThatThrownBy(completion::join).isInstanceOf(CancellationException.class);
    }

    @Test
    void isNotCancelledWhenItIsDone() throws Exception {
        completion.complete(2L);
        assertThat(completion.cancel(false)).isFalse();
        assertThat(completion.isCancelled()).isFalse();
        assertThat(completion.await()).isEqualTo(2);
    }

    @Test
    void wakesTheEngineWhenAnotherThreadCancels() throws Exception {
        engine.idleStrategy(workCount -> sleep());
        FutureTask<Boolean> other = Background.start(() -> completion.cancel(false));
        assertThatThrownBy(() -> completion.await()).isInstanceOf(CancellationException.class);
        assertThat(Background.result(other)).isTrue();
    }

    @Test
    void wakesTheEngineWhenAnotherThreadCompletesIt() throws Exception {
        List<FutureTask<Boolean>> other = new ArrayList<>();
        engine.idleStrategy(workCount -> {
            if (other.isEmpty()) {
                other.add(Background.start(() -> completion.complete(5L)));
            }
            sleep();
        });
        assertThat(completion.await()).isEqualTo(5);
        assertThat(Background.result(other.getFirst())).isTrue();
        Completion<Long> second = new Completion<>(engine);
        engine.idleStrategy(workCount -> {
            assertThat(second.orTimeout(1, TimeUnit.MILLISECONDS)).isSameAs(second);
            sleep();
        });
        assertThatThrownBy(() -> second.await())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(TimeoutException.class);
    }

    /** Sleeps until the engine is woken. */
    private void sleep() {
        assertThatCode(() -> engine.awaitEvent(Duration.ofDays(1))).doesNotThrowAnyException();
    }

    @Test
    void stagesRunOnTheEnginesThreadWhoeverCompletesIt() throws Exception {
        for (ThrowingConsumer<Completion<Long>> completing : List.<ThrowingConsumer<Completion<Long>>>of(
                future -> future.complete(1L),
                future -> future.completeExceptionally(new IOException("lost")),
                future -> future.cancel(false),
                future -> future.obtrudeValue(1L),
                future -> future.completeOnTimeout(1L, 1, TimeUnit.MILLISECONDS).join(),
                future -> future.orTimeout(1, TimeUnit.MILLISECONDS).handle((bytes, failure) -> 0))) {
            Completion<Long> future = new Completion<>(engine);
            List<Thread> threads = new ArrayList<>();
            future.whenComplete((bytes, failure) -> threads.add(Thread.currentThread()))
                    .handle((bytes, failure) -> threads.add(Thread.currentThread()))
                    .thenCombine(
                            future.handle((bytes, failure) -> 0), (one, two) -> threads.add(Thread.currentThread()));
            assertThat(OtherThread.thrownBy(() -> completing.accept(future))).isNull();
            Await.until(() -> future.isDone(), "the completion");
            engine.await(() -> threads.size() == 3);
            assertThat(threads).containsOnly(Thread.currentThread());
        }
    }

    @Test
    void aStageThatAnotherThreadAddsRunsWithTheNextProgress() throws Exception {
        completion.complete(2L);
        List<Thread> threads = new ArrayList<>();
        assertThat(OtherThread.thrownBy(() -> completion.thenAccept(bytes -> threads.add(Thread.currentThread()))))
                .isNull();
        assertThat(threads).isEmpty();
        assertThat(engine.progress()).isEqualTo(1);
        assertThat(threads).containsExactly(Thread.currentThread());
    }

    @Test
    void stagesOfAClosedEngineRunOnTheCompletingThread() throws Exception {
        List<Thread> threads = new ArrayList<>();
        Completion<Long> early = new Completion<>(engine);
        early.thenRun(() -> threads.add(Thread.currentThread()));
        assertThat(OtherThread.thrownBy(() -> early.complete(1L))).isNull();
        engine.close();
        assertThat(threads).containsExactly(Thread.currentThread());

        completion.thenRun(() -> threads.add(Thread.currentThread()));
        Thread[] other = new Thread[1];
        assertThat(OtherThread.thrownBy(() -> {
                    other[0] = Thread.currentThread();
                    completion.complete(1L);
                }))
                .isNull();
        assertThat(threads).containsExactly(Thread.currentThread(), other[0]);
    }

    @Test
    void aLongChainOfStagesLosesNone() throws Exception {
        Completion<Long> last = completion;
        for (int i = 0; i < 50_000; i++) {
            last = last.thenApply(bytes -> bytes + 1);
        }
        assertThat(OtherThread.thrownBy(() -> completion.complete(0L))).isNull();
        assertThat(last.await()).isEqualTo(50_000);
    }

    @Test
    void severalAreAwaited() throws Exception {
        Completion<Long> second = new Completion<>(engine);
        Completion<Long> stage = second.thenApply(bytes -> bytes + 1);
        engine.awaitAll(List.of(), Duration.ofDays(1));
        engine.idleStrategy(workCount -> {
            if (second.isDone()) {
                completion.complete(1L);
            }
            second.complete(2L);
        });
        engine.awaitAll(List.of(completion, second, stage), Duration.ofDays(1));
        assertThat(completion).isCompletedWithValue(1L);
        assertThat(stage).isCompletedWithValue(3L);
    }

    @Test
    void thoseThatAreLateAreCounted() {
        Completion<Long> second = new Completion<>(engine);
        Completion<Long> third = new Completion<>(engine);
        second.complete(2L);
        assertThatThrownBy(() -> engine.awaitAll(List.of(completion, second, third), Duration.ofMillis(10)))
                .isInstanceOf(TimeoutException.class)
                .hasMessage("2 of 3 not completed within 10 ms; their tasks are still in flight");
        assertThat(completion).isNotDone();
    }

    @Test
    void theFirstFailureIsThrownWhenAllAreDone() {
        Completion<Long> second = new Completion<>(engine);
        Completion<Long> third = new Completion<>(engine);
        DocaCallException failure = new DocaCallException("Copying failed", 17, "doca_dma_task_memcpy");
        second.completeExceptionally(failure);
        third.completeExceptionally(new StackOverflowError("deep"));
        engine.idleStrategy(workCount -> completion.complete(1L));
        assertThatThrownBy(() -> engine.awaitAll(List.of(completion, second, third), Duration.ofDays(1)))
                .isSameAs(failure);
        assertThat(completion).isDone();
    }

    @Test
    void severalAreAwaitedWithTheirOwnEngine() throws Exception {
        try (ProgressEngine another = ProgressEngine.create()) {
            assertThatThrownBy(() -> another.awaitAll(List.of(completion), Duration.ZERO))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("The completion belongs to another engine, that of thread \""
                            + Thread.currentThread().getName() + "\"");
        }
        assertThat(OtherThread.thrownBy(() -> engine.awaitAll(List.of(completion), Duration.ZERO)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("was called by thread \"other\"");
    }

    @Test
    void hasOneListenerAndCallsItOnce() {
        List<String> calls = new ArrayList<>();
        assertThat(completion.listen(() -> calls.add("first " + completion.resultNow())))
                .isTrue();
        assertThat(completion.listen(() -> calls.add("second " + completion.resultNow())))
                .isFalse();
        completion.complete(3L);
        completion.complete(4L);
        assertThat(calls).containsExactly("first 3");
        assertThat(completion.listen(() -> calls.add("late " + completion.resultNow())))
                .isTrue();
        assertThat(calls).containsExactly("first 3", "late 3");
    }

    @Test
    void isAwaitedByTheEnginesThread() throws Exception {
        for (ThrowingCallable wait : List.<ThrowingCallable>of(
                () -> completion.await(),
                () -> completion.await(Duration.ZERO),
                () -> engine.await(completion),
                () -> engine.await(new CompletableFuture<Long>()),
                () -> engine.await(new CompletableFuture<Long>(), Duration.ZERO))) {
            assertThat(OtherThread.thrownBy(wait))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("was called by thread \"other\"");
        }
        completion.complete(3L);
        assertThat(OtherThread.thrownBy(() -> assertThat(completion.await()).isEqualTo(engine.await(completion))))
                .isNull();
    }

    @Test
    void isNotAwaitedByACallback() throws Exception {
        Completion<Long> never = new Completion<>(engine);
        List<Throwable> refusals = new ArrayList<>();
        completion.thenAccept(bytes -> {
            refusals.add(catchThrowable(() -> never.await()));
            refusals.add(catchThrowable(() -> never.await(Duration.ofDays(1))));
            refusals.add(catchThrowable(() -> engine.await(new CompletableFuture<Long>())));
            refusals.add(catchThrowable(() -> completion.await()));
        });
        assertThat(OtherThread.thrownBy(() -> completion.complete(1L))).isNull();
        engine.await(() -> refusals.size() == 4);
        assertThat(refusals.subList(0, 3))
                .allSatisfy(
                        refusal -> assertThat(refusal)
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessageEndingWith(
                                        "is delivering completions: a callback cannot progress or wait, it can submit and return"));
        assertThat(refusals.get(3)).isNull();
    }

    @Test
    void isNotAwaitedWhenItsEngineIsClosed() throws Exception {
        engine.close();
        assertThatThrownBy(() -> completion.await())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is closed");
        completion.complete(4L);
        assertThat(completion.await()).isEqualTo(4);
    }

    @Test
    void stagesOfAnyKindAreAwaited() throws Exception {
        CompletableFuture<Long> stage = new CompletableFuture<>();
        List<FutureTask<Boolean>> other = new ArrayList<>();
        engine.idleStrategy(workCount -> {
            if (other.isEmpty()) {
                other.add(Background.start(() -> stage.complete(5L)));
            }
            sleep();
        });
        assertThat(engine.await(stage.minimalCompletionStage())).isEqualTo(5);
        assertThat(Background.result(other.getFirst())).isTrue();
        completion.complete(1L);
        assertThat(engine.await(CompletableFuture.allOf(completion, stage), Duration.ZERO))
                .isNull();
    }

    @Test
    void aStageThatIsLateCanBeAwaitedAgain() throws Exception {
        CompletableFuture<Long> stage = new CompletableFuture<>();
        assertThatThrownBy(() -> engine.await(stage, Duration.ofMillis(10)))
                .isInstanceOf(TimeoutException.class)
                .hasMessage("Not completed within 10 ms; the task is still in flight");
        stage.complete(6L);
        assertThat(engine.await(stage, Duration.ZERO)).isEqualTo(6);
    }

    @Test
    void theFailureOfAStageIsThrown() {
        CompletableFuture<Long> stage = new CompletableFuture<>();
        DocaCallException failure = new DocaCallException("Copying failed", 17, "doca_dma_task_memcpy");
        stage.completeExceptionally(failure);
        assertThatThrownBy(() -> engine.await(stage)).isSameAs(failure);
        assertThatThrownBy(() -> engine.await(stage.thenApply(bytes -> bytes))).isSameAs(failure);
        assertThatThrownBy(() -> engine.await(CompletableFuture.failedStage(new IOException("disk full"))))
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(IOException.class);
        CompletableFuture<Long> cancelled = new CompletableFuture<>();
        cancelled.cancel(false);
        assertThatThrownBy(() -> engine.await(cancelled)).isInstanceOf(CancellationException.class);
    }

    @Test
    void aStageOfAnotherEngineIsAwaitedIfAnotherThreadProgresses() throws Exception {
        try (ProgressEngine another = ProgressEngine.create();
                ProgressLoop loop = ProgressLoop.start()) {
            assertThatThrownBy(() -> another.await(completion))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("The completion belongs to another engine of this thread, which does not progress"
                            + " meanwhile");
            Completion<Long> ofLoop = new Completion<>(loop.engine());
            CompletableFuture<Boolean> completing = loop.call(engine -> ofLoop.complete(8L));
            assertThat(another.await(ofLoop)).isEqualTo(8);
            assertThat(completing.join()).isTrue();
            completion.complete(9L);
            assertThat(another.await(completion)).isEqualTo(9);
        }
    }

    @Test
    void anInterruptEndsTheWait() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> completion.await()).isInstanceOf(InterruptedException.class);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> engine.await(new CompletableFuture<Long>())).isInstanceOf(InterruptedException.class);
        assertThat(completion).isNotDone();
    }

    @Test
    void stagesAreCompletions() throws Exception {
        completion.complete(4L);
        long sum = completion
                .thenApply(bytes -> bytes + 1)
                .thenCombine(completion, Long::sum)
                .thenCompose(bytes -> completion.thenApply(more -> bytes + more))
                .handle((bytes, failure) -> bytes)
                .exceptionally(failure -> 0L)
                .whenComplete((bytes, failure) -> {})
                .await();
        assertThat(sum).isEqualTo(13);
    }
}
