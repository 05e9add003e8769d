/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.core.DocaCallException;
import io.docajava.core.testing.OtherThread;
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
        assertThat(completion.await(engine)).isEqualTo(5);
        assertThat(completion.await(engine, Duration.ZERO)).isEqualTo(5);
        assertThat(completion.get()).isEqualTo(5);
        assertThat(completion.get(0, TimeUnit.SECONDS)).isEqualTo(5);
        assertThat(completion.join()).isEqualTo(5);
    }

    @Test
    void progressesWhileItWaits() throws Exception {
        engine.idleStrategy(workCount -> completion.complete(7L));
        assertThat(completion.await(engine)).isEqualTo(7);
    }

    @Test
    void wakesForAStageThatAnotherThreadCompletes() throws Exception {
        engine.idleStrategy(workCount -> sleep());
        CompletableFuture<Long> stage = completion.thenApplyAsync(bytes -> bytes + 1);
        completion.complete(1L);
        assertThat(((Completion<Long>) stage).await(engine)).isEqualTo(2);
    }

    @Test
    void givesUpAfterATimeAndCanBeAwaitedAgain() throws Exception {
        assertThatThrownBy(() -> completion.await(engine, Duration.ofMillis(10)))
                .isInstanceOf(TimeoutException.class)
                .hasMessage("Not completed within 10 ms; the task is still in flight");
        assertThatThrownBy(() -> completion.await(engine, Duration.ofSeconds(Long.MIN_VALUE)))
                .isInstanceOf(TimeoutException.class)
                .hasMessage("Not completed within 0 ms; the task is still in flight");
        assertThat(completion).isNotDone();
        completion.complete(1L);
        assertThat(completion.await(engine, Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo(1);
    }

    @Test
    void aStageCanBePolledAnyNumberOfTimes() {
        Completion<Long> stage = (Completion<Long>) completion.thenApply(bytes -> bytes + 1);
        for (int i = 0; i < 100; i++) {
            assertThatThrownBy(() -> stage.await(engine, Duration.ZERO)).isInstanceOf(TimeoutException.class);
        }
        assertThat(stage.getNumberOfDependents()).isEqualTo(1);
    }

    @Test
    void throwsTheFailureItself() {
        DocaCallException failure = new DocaCallException("Copying failed", 17, "doca_dma_task_memcpy");
        completion.completeExceptionally(failure);
        assertThatThrownBy(() -> completion.await(engine)).isSameAs(failure);
        assertThatThrownBy(completion::join)
                .isInstanceOf(CompletionException.class)
                .hasCause(failure);
        assertThatThrownBy(completion::get)
                .isInstanceOf(ExecutionException.class)
                .hasCause(failure);

        Completion<Long> error = new Completion<>(engine);
        error.completeExceptionally(new StackOverflowError("deep"));
        assertThatThrownBy(() -> error.await(engine)).isInstanceOf(StackOverflowError.class);

        Completion<Long> checked = new Completion<>(engine);
        checked.completeExceptionally(new IOException("disk full"));
        assertThatThrownBy(() -> checked.await(engine))
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(IOException.class)
                .hasMessage("disk full");
    }

    @Test
    void refusesToBlockTheThreadThatHasToCompleteIt() {
        String advice = "This thread runs the progress engine and would wait forever, as nothing completes meanwhile:"
                + " use await(engine), or go on in a dependent stage";
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
        Completion<Long> next = (Completion<Long>) completion.thenApply(bytes -> bytes * 2);
        completion.complete(4L);
        assertThat(next.await(engine)).isEqualTo(8);
    }

    @Test
    void isCancelled() {
        List<Throwable> failures = new ArrayList<>();
        completion.listen((bytes, failure) -> failures.add(failure));
        assertThat(completion.cancel(false)).isTrue();
        assertThat(completion.cancel(true)).isTrue();
        assertThat(completion.isCancelled()).isTrue();
        assertThat(failures).singleElement().isInstanceOf(CancellationException.class);
        assertThat(completion.complete(2L)).isFalse();
        assertThatThrownBy(() -> completion.await(engine)).isInstanceOf(CancellationException.class);
        assertThatThrownBy(completion::join).isInstanceOf(CancellationException.class);
    }

    @Test
    void isNotCancelledWhenItIsDone() throws Exception {
        completion.complete(2L);
        assertThat(completion.cancel(false)).isFalse();
        assertThat(completion.isCancelled()).isFalse();
        assertThat(completion.await(engine)).isEqualTo(2);
    }

    @Test
    void wakesTheEngineWhenAnotherThreadCancels() throws Exception {
        engine.idleStrategy(workCount -> sleep());
        FutureTask<Boolean> other = Background.start(() -> completion.cancel(false));
        assertThatThrownBy(() -> completion.await(engine)).isInstanceOf(CancellationException.class);
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
        assertThat(completion.await(engine)).isEqualTo(5);
        assertThat(Background.result(other.getFirst())).isTrue();
        Completion<Long> second = new Completion<>(engine);
        engine.idleStrategy(workCount -> {
            assertThat(second.orTimeout(1, TimeUnit.MILLISECONDS)).isSameAs(second);
            sleep();
        });
        assertThatThrownBy(() -> second.await(engine))
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
            while (!future.isDone()) {
                Thread.onSpinWait();
            }
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
        CompletableFuture<Long> last = completion;
        for (int i = 0; i < 50_000; i++) {
            last = last.thenApply(bytes -> bytes + 1);
        }
        assertThat(OtherThread.thrownBy(() -> completion.complete(0L))).isNull();
        assertThat(((Completion<Long>) last).await(engine)).isEqualTo(50_000);
    }

    @Test
    void severalAreAwaited() throws Exception {
        Completion<Long> second = new Completion<>(engine);
        Completion<Long> stage = (Completion<Long>) second.thenApply(bytes -> bytes + 1);
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
    void isAwaitedWithItsOwnEngine() {
        try (ProgressEngine another = ProgressEngine.create()) {
            assertThatThrownBy(() -> completion.await(another))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("The completion belongs to another engine, that of thread \""
                            + Thread.currentThread().getName() + "\"");
        }
    }

    @Test
    void hasOneListenerAndCallsItOnce() {
        List<String> calls = new ArrayList<>();
        assertThat(completion.listen((bytes, failure) -> calls.add("first " + bytes)))
                .isTrue();
        assertThat(completion.listen((bytes, failure) -> calls.add("second " + bytes)))
                .isFalse();
        completion.complete(3L);
        completion.complete(4L);
        assertThat(calls).containsExactly("first 3");
        assertThat(completion.listen((bytes, failure) -> calls.add("late " + bytes)))
                .isTrue();
        assertThat(calls).containsExactly("first 3", "late 3");
    }

    @Test
    void isAwaitedByTheEnginesThread() throws Exception {
        assertThat(OtherThread.thrownBy(() -> completion.await(engine)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("was called by thread \"other\"");
    }
}
