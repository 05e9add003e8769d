/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.IdleStrategy;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.Await;
import io.docajava.testing.CompletionModes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests that completions are found after another source ended the engine's sleep. A sleep arms the completion queues, and
 * the SDK does not progress an armed queue until its own event has fired and has been cleared.
 */
@ExtendWith(DocaExtension.class)
@Timeout(600)
class ArmedQueueTest extends CompletionModes {

    private static final Duration LONG = Await.LIMIT;

    private static List<IdleStrategy> strategies() {
        return List.of(
                IdleStrategy.busySpin(),
                IdleStrategy.yielding(),
                IdleStrategy.backoff(),
                IdleStrategy.eventDriven(),
                IdleStrategy.eventDriven(0),
                IdleStrategy.eventDriven(Duration.ofMillis(1)));
    }

    @Test
    void anyStrategyFindsWhatCompletesAfterAWaitThatTimedOut() throws Exception {
        try (Lab lab = new Lab()) {
            for (IdleStrategy strategy : strategies()) {
                lab.engine.idleStrategy(strategy);
                waitInVain(lab);
                copy(lab, lab.dma).await(LONG);
            }
        }
    }

    /** The event of the previous copy may arrive after its completion was polled. */
    private static void waitInVain(Lab lab) throws InterruptedException {
        while (lab.engine.awaitEvent(Duration.ZERO)) {
            lab.engine.progress();
        }
    }

    @Test
    void anyStrategyFindsWhatCompletesAfterAWakeUp() throws Exception {
        try (Lab lab = new Lab()) {
            for (IdleStrategy strategy : strategies()) {
                lab.engine.idleStrategy(strategy);
                sleepUntilWoken(lab);
                copy(lab, lab.dma).await(LONG);
            }
        }
    }

    @Test
    void progressAloneFindsWhatCompletesAfterAWaitThatTimedOut() throws Exception {
        try (Lab lab = new Lab()) {
            assertThat(lab.engine.awaitEvent(Duration.ofMillis(1))).isFalse();
            progressUntilDone(lab, copy(lab, lab.dma));
            progressUntilDone(lab, copy(lab, lab.dma));
        }
    }

    /** The event of one context ends the sleep. The event of the other context fires while the engine polls. */
    @Test
    void anyStrategyFindsWhatAnotherContextCompletes() throws Exception {
        try (Lab lab = new Lab();
                DmaContext other = DmaContext.builder(lab.device).start(lab.engine)) {
            for (IdleStrategy strategy : strategies()) {
                lab.engine.idleStrategy(strategy);
                Completion<Long> first = copy(lab, lab.dma);
                while (!first.isDone()) {
                    assertThat(lab.engine.awaitEvent(LONG)).isTrue();
                    lab.engine.progressAll();
                }
                copy(lab, other).await(LONG);
                copy(lab, lab.dma).await(LONG);
            }
        }
    }

    /** A context with a completion in each round does not hide the completions of another context. */
    @Test
    void aBusyContextDoesNotHideAnotherOne() throws Exception {
        try (Lab lab = new Lab();
                DmaContext other = DmaContext.builder(lab.device).start(lab.engine)) {
            MapRange source = lab.filled(0, 64);
            MapRange target = lab.memory.range(4096, 64);
            AtomicBoolean ended = new AtomicBoolean();
            DmaTask busy = lab.dma.task(source, target);
            busy.onCompletion(task -> {
                if (!ended.get()) {
                    task.submit();
                }
            });
            assertThat(lab.engine.awaitEvent(Duration.ZERO)).isFalse();
            busy.submit();
            assertThat(lab.engine.awaitEvent(LONG)).isTrue();
            Completion<Long> completion = copy(lab, other);
            progressUntilDone(lab, completion);
            ended.set(true);
            lab.drain();
            busy.close();
        }
    }

    /** Stopping waits for operations in flight, so it has to find their completions. */
    @Test
    void aContextStopsAfterAWaitThatTimedOut() throws Exception {
        try (Lab lab = new Lab()) {
            lab.engine.idleStrategy(IdleStrategy.busySpin());
            assertThat(lab.engine.awaitEvent(Duration.ZERO)).isFalse();
            Completion<Long> completion = copy(lab, lab.dma);
            lab.dma.stop();
            lab.awaitIdle(LONG);
            assertThat(completion.isDone()).isTrue();
            lab.dma.restart();
            assertThat(lab.engine.awaitEvent(Duration.ZERO)).isFalse();
            copy(lab, lab.dma).await(LONG);
        }
    }

    @Test
    void aFailureAfterAWaitKeepsItsReason() throws Exception {
        assertThat(failureOfACopy(true)).isEqualTo(failureOfACopy(false));
    }

    private static String failureOfACopy(boolean afterWait) throws Exception {
        try (Lab lab = new Lab();
                Buf source = lab.data(64, 64);
                Buf target = lab.space(8192, 64)) {
            Lab.spoil(source);
            if (afterWait) {
                assertThat(lab.engine.awaitEvent(Duration.ZERO)).isFalse();
            }
            Completion<Long> completion = lab.dma.copy(source, target);
            lab.engine.idleStrategy(IdleStrategy.busySpin());
            assertThat(lab.engine.await(completion::isDone, LONG))
                    .as("waits for the end of the copy")
                    .isTrue();
            // Replaces addresses, which differ.
            return String.valueOf(completion.exceptionNow().getMessage()).replaceAll("0x[0-9a-f]+", "0x");
        }
    }

    private static void sleepUntilWoken(Lab lab) throws Exception {
        AtomicBoolean awake = new AtomicBoolean();
        FutureTask<Boolean> waker = new FutureTask<>(() -> {
            while (!awake.get()) {
                lab.engine.wakeUp();
                Thread.onSpinWait();
            }
            return true;
        });
        Thread.ofPlatform().daemon().start(waker);
        try {
            assertThat(lab.engine.awaitEvent(LONG)).isTrue();
            assertThat(lab.engine.awaitEvent(LONG)).isTrue();
        } finally {
            awake.set(true);
        }
        assertThat(Await.result(waker, "the end of the thread that wakes the engine"))
                .isTrue();
    }

    private static void progressUntilDone(Lab lab, Completion<Long> completion) {
        long start = System.nanoTime();
        while (!completion.isDone() && System.nanoTime() - start < LONG.toNanos()) {
            lab.engine.progress();
        }
        assertThat(completion).isCompleted();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the caller has the completion itself
    private static Completion<Long> copy(Lab lab, DmaContext dma) {
        MapRange source = lab.filled(64, 64);
        MapRange target = lab.memory.range(8192, 64);
        Completion<Long> completion = dma.copy(source, target);
        completion.whenComplete((length, failure) -> {});
        return completion;
    }
}
