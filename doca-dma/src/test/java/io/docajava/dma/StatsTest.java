/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.core.context.ContextStats;
import io.docajava.core.graph.ContextNode;
import io.docajava.core.graph.Graph;
import io.docajava.core.graph.GraphBuilder;
import io.docajava.core.graph.GraphInstance;
import io.docajava.core.graph.UserNode;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.EngineStats;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.Await;
import io.docajava.testing.Work;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the statistics of contexts, engines and loops. A thread other than the engine's reads all numbers. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
@SuppressWarnings("try")
class StatsTest {

    private static final Duration LONG = Await.LIMIT;
    private static final Duration MOMENT = Duration.ofMillis(1);
    /** The delay of completions that must not arrive before the fault is withdrawn. */
    private static final Duration NEVER = Duration.ofHours(24);

    private static <T> T elsewhere(Supplier<T> question) {
        return CompletableFuture.supplyAsync(question)
                .orTimeout(Await.LIMIT_S, TimeUnit.SECONDS)
                .join();
    }

    private static void assertStats(DmaContext dma, long inFlight, long completed, long failed, long bytes) {
        ContextStats stats = elsewhere(dma::stats);
        assertThat(stats)
                .isEqualTo(new ContextStats(
                        0, inFlight, completed, failed, bytes, stats.rebinds(), stats.oldestInFlight()));
        assertThat(stats.oldestInFlight().isZero()).isEqualTo(inFlight == 0);
    }

    @Test
    void copiesCount() throws Exception {
        try (Lab lab = new Lab()) {
            assertStats(lab.dma, 0, 0, 0, 0);
            for (int i = 0; i < 3; i++) {
                lab.dma
                        .copy(lab.memory.range(0, 100), lab.memory.range(1000, 100))
                        .await(LONG);
            }
            assertStats(lab.dma, 0, 3, 0, 300);
            EngineStats stats = elsewhere(lab.engine::stats);
            assertThat(stats).isEqualTo(new EngineStats(0, 0, 3, 0, 300, Duration.ZERO, stats.wakeUps()));
        }
    }

    @Test
    void aBatchAndASeriesCountEachOfTheirCopies() throws Exception {
        try (Lab lab = new Lab()) {
            List<MapRange> sources =
                    List.of(lab.memory.range(0, 100), lab.memory.range(200, 50), lab.memory.range(300, 7));
            List<MapRange> targets =
                    List.of(lab.memory.range(1000, 100), lab.memory.range(2000, 50), lab.memory.range(3000, 7));
            try (DmaSeries series = lab.dma.series(sources, targets)) {
                series.submit();
                assertStats(lab.dma, 3, 0, 0, 0);
                lab.drain();
            }
            assertStats(lab.dma, 0, 3, 0, 157);
            for (int i = 0; i < sources.size(); i++) {
                assertThat(lab.dma.copy(sources.get(i), targets.get(i))).isNotDone();
            }
            lab.dma.flush();
            lab.drain();
            assertStats(lab.dma, 0, 6, 0, 314);
        }
    }

    @Test
    void aFailureCountsAndSoDoesWhatItAborts() throws Exception {
        Requirements.function("doca_dma_set_ordered_completions");
        try (Lab lab = new Lab(builder -> builder.maxTasks(8).orderedCompletions(true))) {
            Buf spoilt = lab.data(100, 100);
            Buf last = lab.data(200, 100);
            Completion<Long> first = lab.dma.copy(lab.data(0, 100), lab.space(1000, 100));
            Lab.spoil(spoilt);
            Completion<Long> second = lab.dma.copy(spoilt, lab.space(2000, 100));
            Completion<Long> third = lab.dma.copy(last, lab.space(3000, 100));
            lab.awaitIdle(LONG);
            assertThat(first).isCompletedWithValue(100L);
            assertThat(second).isCompletedExceptionally();
            assertThat(third).isCompletedExceptionally();
            assertStats(lab.dma, 0, 1, 2, 100);
        }
    }

    @Test
    @DocaEmulator
    void aSeriesCountsWhatFailedOfIt() throws Exception {
        try (Lab lab = new Lab(8)) {
            List<MapRange> sources =
                    List.of(lab.memory.range(0, 100), lab.memory.range(200, 50), lab.memory.range(300, 7));
            List<MapRange> targets =
                    List.of(lab.memory.range(1000, 100), lab.memory.range(2000, 50), lab.memory.range(3000, 7));
            try (DmaSeries series = lab.dma.series(sources, targets);
                    EmulatorFaults faults =
                            EmulatorFaults.builder().failTask(2, "IO_FAILED").inject()) {
                assertThat(faults).isNotNull();
                series.submit();
                lab.awaitIdle(LONG);
            }
            ContextStats stats = elsewhere(lab.dma::stats);
            assertThat(stats.inFlight()).isZero();
            assertThat(stats.completed() + stats.failed()).isEqualTo(3);
            assertThat(stats.failed()).isPositive();
            assertThat(stats.bytes()).isIn(0L, 7L, 100L, 107L);
        }
    }

    @Test
    void tasksOfAGraphCount() throws Exception {
        try (Lab lab = new Lab()) {
            MapRange source = lab.memory.range(0, 64);
            MapRange target = lab.memory.range(1000, 64);
            try (DmaTask task = lab.dma.task(source, target)) {
                GraphBuilder plan = Graph.builder(lab.engine);
                ContextNode copy = plan.context("copy", lab.dma);
                UserNode<MapRange> after = plan.user("after", range -> {});
                try (Graph graph = plan.dependency(copy, after).start();
                        GraphInstance instance =
                                graph.instance().set(copy, task).set(after, target)) {
                    Completion<GraphInstance> run = instance.submit();
                    assertStats(lab.dma, 1, 0, 0, 0);
                    run.await(LONG);
                    assertStats(lab.dma, 0, 1, 0, 64);
                }
            }
        }
    }

    @Test
    @DocaEmulator
    void theOldestInFlightGetsOlder() throws Exception {
        try (Lab lab = new Lab()) {
            lab.dma.copy(lab.memory.range(0, 100), lab.memory.range(1000, 100)).await(LONG);
            spin(Duration.ofMillis(20));
            try (EmulatorFaults faults = EmulatorFaults.builder().delay(NEVER).inject()) {
                long begun = System.nanoTime();
                Completion<Long> copy = lab.dma.copy(lab.memory.range(100, 100), lab.memory.range(2000, 100));
                assertThatThrownBy(() -> copy.await(MOMENT)).isInstanceOf(TimeoutException.class);
                Duration first = elsewhere(lab.dma::stats).oldestInFlight();
                assertThat(first).isPositive().isLessThan(Duration.ofNanos(System.nanoTime() - begun));
                spin(MOMENT);
                assertThat(lab.dma.copy(lab.memory.range(200, 100), lab.memory.range(3000, 100)))
                        .isNotDone();
                lab.engine.progress();
                Duration second = elsewhere(lab.dma::stats).oldestInFlight();
                assertThat(second).isGreaterThanOrEqualTo(first.plus(MOMENT));
                assertThat(elsewhere(lab.engine::stats).oldestInFlight()).isGreaterThanOrEqualTo(second);
                assertThat(lab.dma.stats().inFlight()).isEqualTo(2);
            }
            lab.drain();
            assertThat(elsewhere(lab.dma::stats).oldestInFlight()).isZero();
        }
    }

    private static void spin(Duration time) {
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < time.toNanos()) {
            Thread.onSpinWait();
        }
    }

    /** Waits for the loop to update its queue, which it does after the calls that it has run. */
    private static void awaitQueued(ProgressLoop loop, long queued) {
        Await.until(() -> loop.stats().queued() == queued, queued + " queued operations");
    }

    @Test
    @DocaEmulator
    void deferredOperationsOfOneCallCountAsQueued() throws Exception {
        try (ProgressLoop loop = ProgressLoop.builder().maxQueued(3).start();
                LoopLab lab = new LoopLab(loop, 4)) {
            List<Completion<Long>> copies;
            try (EmulatorFaults faults = EmulatorFaults.builder().delay(NEVER).inject()) {
                copies = loop.call(engine -> IntStream.range(0, 8)
                                .mapToObj(copy -> lab.copy(copy % 4))
                                .toList())
                        .join();
                awaitQueued(loop, 4);
            }
            for (Completion<Long> copy : copies) {
                copy.get(Await.LIMIT_S, TimeUnit.SECONDS);
            }
            awaitQueued(loop, 0);
        }
    }

    @Test
    @DocaEmulator
    void deferredOperationsCountAsQueued() throws Exception {
        try (ProgressLoop loop = ProgressLoop.start()) {
            try (LoopLab lab = new LoopLab(loop, 4)) {
                List<CompletableFuture<Long>> copies;
                try (EmulatorFaults faults =
                        EmulatorFaults.builder().delay(NEVER).inject()) {
                    copies = List.of(0, 1, 2, 3, 0, 1).stream()
                            .map(block -> Work.on(loop, () -> lab.copy(block)))
                            .toList();
                    loop.call(engine -> true).join();
                    assertThat(lab.context().stats().queued()).isEqualTo(2);
                    assertThat(lab.context().stats().inFlight()).isEqualTo(4);
                    awaitQueued(loop, 2);
                    assertThat(loop.stats().inFlight()).isEqualTo(4);
                }
                copies.forEach(CompletableFuture::join);
                assertThat(lab.context().stats().queued()).isZero();
                assertThat(lab.context().stats().completed()).isEqualTo(6);
            }
            assertThat(loop.stats().completed()).isEqualTo(6);
            assertThat(loop.stats().bytes()).isEqualTo(6 * LoopLab.BLOCK);
        }
    }

    @Test
    void statsOutliveWhatTheyAreOf() throws Exception {
        DmaContext dma;
        ProgressLoop loop = ProgressLoop.start();
        try (LoopLab lab = new LoopLab(loop, 1)) {
            assertThat(Work.on(loop, () -> lab.copy(0)).join()).isEqualTo(LoopLab.BLOCK);
            dma = lab.context();
        }
        loop.close();
        assertStats(dma, 0, 1, 0, LoopLab.BLOCK);
        EngineStats stats = loop.stats();
        assertThat(stats).isEqualTo(new EngineStats(0, 0, 1, 0, LoopLab.BLOCK, Duration.ZERO, stats.wakeUps()));
    }

    @Test
    void sleepsCount() throws Exception {
        try (Lab lab = new Lab()) {
            long before = lab.engine.stats().wakeUps();
            assertThat(lab.engine.awaitEvent(MOMENT)).isFalse();
            assertThat(elsewhere(lab.engine::stats).wakeUps()).isGreaterThan(before);
            long after = lab.engine.stats().wakeUps();
            lab.engine.progress();
            assertThat(lab.engine.stats().wakeUps()).isEqualTo(after);
        }
    }
}
