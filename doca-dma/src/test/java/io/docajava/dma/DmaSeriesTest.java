/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.Batch;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.CompletionModes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests copies that are prepared once and submitted together. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
@SuppressWarnings("try") // faults are not used, and some resources are closed early
class DmaSeriesTest extends CompletionModes {

    private static final String CONTEXT = "DMA context on " + Lab.DEVICE;
    private static final long TARGETS = 500_000;

    private static List<Buf> sources(Lab lab, int count) {
        List<Buf> sources = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sources.add(lab.data(i * 64L, 64));
        }
        return sources;
    }

    private static List<Buf> targets(Lab lab, int count) {
        List<Buf> targets = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            targets.add(lab.space(TARGETS + i * 64L, 64));
        }
        return targets;
    }

    private static void run(Lab lab, DmaSeries series) {
        series.submit();
        finish(lab, series);
    }

    private static void finish(Lab lab, DmaSeries series) {
        while (!series.isDone()) {
            lab.engine.progress();
        }
    }

    private static void fill(Lab lab, long offset, long length, int value) {
        lab.memory.segment().asSlice(offset, length).fill((byte) value);
    }

    private static void assertFilled(Lab lab, long offset, long length, int value) {
        assertThat(lab.memory.segment().asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE))
                .containsOnly((byte) value);
    }

    @Test
    void copiesTheSameAgainAndAgain() {
        try (Lab lab = new Lab(100)) {
            for (int size : new int[] {1, 2, 31, 32, 33, 64, 65, 100}) {
                List<Buf> sources = sources(lab, size);
                List<Buf> targets = targets(lab, size);
                try (DmaSeries series = lab.dma.series(sources, targets)) {
                    assertThat(series.size()).isEqualTo(size);
                    assertThat(series.bytes()).isEqualTo(size * 64L);
                    assertThat(series.status()).isEqualTo(TaskStatus.NEW);
                    assertThat(series.isDone()).isFalse();
                    for (int value = 1; value < 4; value++) {
                        fill(lab, 0, size * 64L, value);
                        series.submit();
                        assertThat(series.status()).isEqualTo(TaskStatus.IN_FLIGHT);
                        assertThat(lab.dma.inFlight()).isEqualTo(size);
                        finish(lab, series);
                        assertThat(series.status()).isEqualTo(TaskStatus.SUCCEEDED);
                        assertThat(series.failure()).isEmpty();
                        assertThat(lab.dma.inFlight()).isZero();
                        assertFilled(lab, TARGETS, size * 64L, value);
                        assertThat(targets).allMatch(target -> target.dataLength() == 64);
                    }
                }
                sources.forEach(Buf::close);
                targets.forEach(Buf::close);
            }
            assertThat(lab.reported).isEmpty();
        }
    }

    @Test
    void writesBehindTheDataThatTargetsHadAndReadsWhatSourcesHad() {
        try (Lab lab = new Lab()) {
            Buf source = lab.data(0, 64);
            source.setData(16, 32);
            Buf target = lab.space(1000, 64);
            target.setData(8, 4);
            fill(lab, 1000, 64, 9);
            try (DmaSeries series = lab.dma.series(List.of(source), List.of(target))) {
                run(lab, series);
                run(lab, series);
                assertThat(series.bytes()).isEqualTo(32);
                assertThat(target.dataOffset()).isEqualTo(8);
                assertThat(target.dataLength()).isEqualTo(4 + 32);
            }
            lab.assertCopied(16, 1012, 32);
            assertFilled(lab, 1000, 12, 9);
            assertFilled(lab, 1044, 20, 9);
        }
    }

    @Test
    void takesListsAndOneSourceForMany() {
        try (Lab lab = new Lab()) {
            Buf list = lab.data(0, 40).append(lab.data(100, 24));
            List<Buf> targets = List.of(lab.space(1000, 64), lab.space(3000, 64));
            try (DmaSeries series = lab.dma.series(List.of(list, list), targets)) {
                for (int i = 0; i < 3; i++) {
                    lab.memory.segment().asSlice(1000, 2064).fill((byte) 0);
                    run(lab, series);
                    lab.assertCopied(0, 1000, 40);
                    lab.assertCopied(100, 1040, 24);
                    lab.assertCopied(0, 3000, 40);
                    lab.assertCopied(100, 3040, 24);
                }
            }
        }
    }

    @Test
    void callsTheSubmitterWhichCanSubmitAgain() {
        try (Lab lab = new Lab()) {
            List<Integer> calls = new ArrayList<>();
            try (DmaSeries series = lab.dma.series(sources(lab, 4), targets(lab, 4))) {
                series.onCompletion(ended -> {
                    calls.add(calls.size());
                    if (calls.size() < 5) {
                        ended.submit();
                    } else {
                        throw new UnsupportedOperationException("five");
                    }
                });
                series.submit();
                while (lab.dma.inFlight() > 0) {
                    lab.engine.progress();
                }
                assertThat(series.status()).isEqualTo(TaskStatus.SUCCEEDED);
            }
            assertThat(calls).containsExactly(0, 1, 2, 3, 4);
            assertThat(lab.reported)
                    .singleElement()
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasToString("java.lang.UnsupportedOperationException: five");
        }
    }

    @Test
    void worksBesideOtherCopiesAndKeepsTheOrderOfSubmission() throws Exception {
        try (Lab lab = new Lab(16)) {
            Buf shared = lab.data(0, 64);
            try (DmaSeries series = lab.dma.series(List.of(shared, shared), targets(lab, 2));
                    Batch batch = lab.dma.batch()) {
                var first = lab.dma.copy(shared, lab.space(10_000, 64));
                series.submit();
                var second = lab.dma.copy(shared, lab.space(20_000, 64));
                assertThat(lab.dma.inFlight()).isEqualTo(4);
                lab.drain();
                assertThat(first).isCompletedWithValue(64L);
                assertThat(second).isCompletedWithValue(64L);
                assertThat(series.status()).isEqualTo(TaskStatus.SUCCEEDED);
            }
            lab.assertCopied(0, 10_000, 64);
            lab.assertCopied(0, 20_000, 64);
            lab.assertCopied(0, TARGETS + 64, 64);
        }
    }

    @Test
    void ownsItsBuffersUntilItIsClosed() throws Exception {
        try (Lab lab = new Lab()) {
            Buf source = lab.data(0, 64);
            Buf target = lab.space(1000, 64);
            Buf other = lab.space(2000, 64);
            DmaSeries series = lab.dma.series(List.of(source), List.of(target));
            String used = "A buffer that a task in flight uses cannot be changed or closed";
            assertThatIllegalStateException().isThrownBy(source::clear).withMessage(used);
            assertThatIllegalStateException().isThrownBy(target::close).withMessage(used);
            assertThatIllegalStateException()
                    .isThrownBy(() -> lab.dma.copy(source, target))
                    .withMessage("The target is used by another copy in flight");
            assertThatIllegalStateException()
                    .isThrownBy(() -> lab.dma.series(List.of(source, source), List.of(other, target)))
                    .withMessage("The target is used by another copy in flight");
            assertThat(lab.dma.copy(source, other).await(lab.engine)).isEqualTo(64);
            assertThatIllegalStateException()
                    .isThrownBy(lab.buffers::close)
                    .withMessage(lab.buffers + " cannot be closed while tasks in flight use 2 buffers");
            series.close();
            series.close();
            source.clear();
            target.close();
            other.close();
        }
    }

    /** A list that another thread changes may differ each time that it is read. */
    @Test
    void readsEachListOnce() {
        try (Lab lab = new Lab()) {
            List<Buf> targets = targets(lab, 2);
            List<Buf> changing = new AbstractList<>() {

                private int size = 2;

                @Override
                public int size() {
                    int current = size;
                    size = 1;
                    return current;
                }

                @Override
                public Buf get(int index) {
                    return targets.get(Objects.checkIndex(index, size));
                }

                @Override
                public Object[] toArray() {
                    size = 1;
                    return targets.toArray();
                }
            };
            try (DmaSeries series = lab.dma.series(sources(lab, 2), changing)) {
                run(lab, series);
                assertThat(series.status()).isEqualTo(TaskStatus.SUCCEEDED);
                assertThat(series.size()).isEqualTo(2);
            }
        }
    }

    @Test
    void refusesWhatCannotBeASeries() {
        try (Lab lab = new Lab(4)) {
            Buf source = lab.data(0, 64);
            Buf target = lab.space(1000, 64);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> lab.dma.series(List.of(), List.of()))
                    .withMessage("A series has at least 1 copy");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> lab.dma.series(List.of(source), List.of(target, target)))
                    .withMessage("A series has as many targets as sources, and not 1 sources and 2 targets");
            assertThatIllegalStateException()
                    .isThrownBy(() -> lab.dma.series(List.of(source, source), List.of(target, target)))
                    .withMessage("The target is used by another copy in flight");
            assertThatIllegalStateException()
                    .isThrownBy(() -> lab.dma.series(List.of(source, target), List.of(target, lab.space(2000, 64))))
                    .withMessage("The source is the target of another copy in flight");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> lab.dma.series(List.of(source), List.of(lab.space(3000, 63))))
                    .withMessage("The target has room for 63 bytes behind its data; the source has 64");
            DmaTask task = lab.dma.task(source, target);
            assertThatExceptionOfType(ResourceExhaustedException.class)
                    .isThrownBy(() -> lab.dma.series(sources(lab, 4), targets(lab, 4)))
                    .withMessage(CONTEXT + " has 3 free tasks of 4: a series of 4 copies needs as many");
            task.close();
            // The refused calls have left nothing in use.
            try (DmaSeries series = lab.dma.series(sources(lab, 4), targets(lab, 4))) {
                run(lab, series);
                assertThat(series.status()).isEqualTo(TaskStatus.SUCCEEDED);
            }
        }
    }

    @Test
    void refusesCallsThatComeAtTheWrongTime() throws Exception {
        try (Lab lab = new Lab()) {
            DmaSeries series = lab.dma.series(sources(lab, 2), targets(lab, 2));
            series.submit();
            String more = " a series in flight of the " + CONTEXT + ": progress until it is done";
            assertThatIllegalStateException().isThrownBy(series::submit).withMessage("Cannot submit" + more);
            assertThatIllegalStateException().isThrownBy(series::close).withMessage("Cannot close" + more);
            assertThatIllegalStateException()
                    .isThrownBy(() -> series.onCompletion(ended -> {}))
                    .withMessage("Cannot change" + more);
            lab.drain();
            assertThat(catchOnOtherThread(series::isDone)).contains("was called by");
            series.close();
            assertThatIllegalStateException()
                    .isThrownBy(series::submit)
                    .withMessage("The series of the " + CONTEXT + " is closed");
        }
    }

    private static String catchOnOtherThread(Runnable call) throws InterruptedException {
        List<String> message = new ArrayList<>();
        Thread thread = Thread.ofPlatform().start(() -> {
            try {
                call.run();
            } catch (IllegalStateException e) {
                message.add(String.valueOf(e.getMessage()));
            }
        });
        thread.join();
        return message.getFirst();
    }

    @Test
    @DocaEmulator
    void aFailureEndsTheSeriesAndItCanBeRunAgainAfterARestart() throws Exception {
        Requirements.engine();
        try (Lab lab = new Lab(16)) {
            List<Buf> targets = targets(lab, 8);
            try (DmaSeries series = lab.dma.series(sources(lab, 8), targets)) {
                run(lab, series);
                List<TaskStatus> calls = new ArrayList<>();
                series.onCompletion(ended -> calls.add(ended.status()));
                try (EmulatorFaults faults =
                        EmulatorFaults.builder().failTask(3, "TIME_OUT").inject()) {
                    run(lab, series);
                }
                assertThat(calls).containsExactly(TaskStatus.FAILED);
                TaskFailedException failure = series.failure().orElseThrow();
                assertThat(failure).hasMessageContaining("Copying 64 bytes from ");
                assertThat(lab.dma.failure().orElseThrow()).hasMessageContaining("DOCA_ERROR_TIME_OUT");
                assertThat(targets).allMatch(target -> target.dataLength() == 0);
                lab.awaitIdle(Duration.ofSeconds(20));
                assertThatExceptionOfType(ContextNotRunningException.class)
                        .isThrownBy(series::submit)
                        .withMessageContaining("is idle: it stopped itself after an operation failed")
                        .havingCause()
                        .withMessageStartingWith("Copying 64 bytes from 128 of");
                lab.dma.restart();
                lab.memory.segment().asSlice(TARGETS, 512).fill((byte) 0);
                run(lab, series);
                assertThat(series.failure()).isEmpty();
                lab.assertCopied(0, TARGETS, 512);
                assertThat(targets).allMatch(target -> target.dataLength() == 64);
            }
        }
    }

    @Test
    @DocaEmulator
    void theTargetsMatchTheReportedStatus() throws Exception {
        Requirements.engine();
        try (Lab lab = new Lab(8)) {
            Buf source = lab.data(0, 64);
            Buf wide = lab.space(1000, 128);
            Buf used = lab.space(2000, 128);
            used.setData(0, 8);
            // The first submission fails for one copy and succeeds for the others.
            DmaSeries series =
                    lab.dma.series(List.of(source, source, source), List.of(wide, used, lab.space(3000, 64)));
            failOne(lab, series, 3);
            assertThat(series.failure()).isPresent();
            series.close();
            assertThat(wide.dataLength()).isZero();
            assertThat(lab.dma.copy(source, wide).await(lab.engine)).isEqualTo(64);
            lab.assertCopied(0, 1000, 64);
            assertThat(lab.dma.copy(source, used).await(lab.engine)).isEqualTo(64);
            lab.assertCopied(0, 2008, 64);

            // After success, failure, success, restart and success, the targets have the data.
            wide.clear();
            try (DmaSeries again = lab.dma.series(List.of(source), List.of(wide))) {
                run(lab, again);
                failOne(lab, again, 1);
                assertThat(wide.dataLength()).isZero();
                run(lab, again);
                assertThat(wide.dataLength()).isEqualTo(64);
                lab.dma.stop();
                lab.dma.restart();
                run(lab, again);
                assertThat(again.failure()).isEmpty();
                assertThat(wide.dataLength()).isEqualTo(64);
            }
            assertThat(lab.dma.copy(wide, lab.space(4000, 64)).await(lab.engine))
                    .isEqualTo(64);
            lab.assertCopied(0, 4000, 64);
        }
    }

    private static void failOne(Lab lab, DmaSeries series, int number) {
        try (EmulatorFaults faults =
                EmulatorFaults.builder().failTask(number, "AGAIN").inject()) {
            run(lab, series);
        }
    }

    @Test
    @DocaEmulator
    void aRefusedSubmissionLeavesTheTargetsAsTheyWere() throws Exception {
        try (Lab lab = new Lab(8)) {
            Buf source = lab.data(0, 64);
            Buf target = lab.space(1000, 64);
            List<Throwable> failures = new ArrayList<>();
            DmaSeries series = lab.dma.series(List.of(source), List.of(target));
            run(lab, series);
            CopyHandler again = new CopyHandler() {
                @Override
                public void copied(Buf from, Buf to, long bytes) {
                    series.submit();
                }

                @Override
                public void failed(Buf from, Buf to, TaskFailedException failure) {
                    failures.add(failure);
                }
            };
            try (EmulatorFaults faults =
                    EmulatorFaults.builder().failTask(2, "IO_FAILED").inject()) {
                // The handler of the first copy runs when the SDK has stopped the context, at least on
                // the inline engine.
                lab.dma.copy(source, lab.space(2000, 64), again);
                lab.dma.copy(source, lab.space(3000, 64), again);
                lab.awaitIdle(Duration.ofSeconds(20));
            }
            assertThat(failures).isNotEmpty();
            boolean wasRefused = series.status() == TaskStatus.SUCCEEDED;
            series.close();
            lab.dma.restart();
            assertThat(target.dataLength()).isEqualTo(wasRefused ? 64 : 0);
            if (wasRefused) {
                assertThat(lab.dma.copy(target, lab.space(4000, 64)).await(lab.engine))
                        .isEqualTo(64);
                lab.assertCopied(0, 4000, 64);
            } else {
                assertThat(lab.dma.copy(source, target).await(lab.engine)).isEqualTo(64);
            }
            lab.reported.clear();
        }
    }

    @Test
    void aStopEndsItAndSlotsServeOthersAfterwards() throws Exception {
        try (Lab lab = new Lab(8)) {
            DmaSeries series = lab.dma.series(sources(lab, 8), targets(lab, 8));
            for (int round = 0; round < 3; round++) {
                series.submit();
                lab.dma.stop();
                finish(lab, series);
                series.failure()
                        .ifPresent(failure ->
                                assertThat(failure.reason()).isEqualTo(TaskFailedException.Reason.CANCELLED));
                lab.drain();
                lab.dma.restart();
            }
            run(lab, series);
            assertThat(series.failure()).isEmpty();
            series.close();
            List<Completion<Long>> copies = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                copies.add(lab.dma.copy(lab.data(0, 64), lab.space(20_000 + i * 64L, 64)));
            }
            lab.drain();
            assertThat(copies).allMatch(copy -> copy.resultNow() == 64);
            lab.assertCopied(0, 20_448, 64);
        }
    }

    @Test
    void isClosedAfterItsContext() {
        try (Lab lab = new Lab(8)) {
            DmaSeries series = lab.dma.series(sources(lab, 4), targets(lab, 4));
            run(lab, series);
            lab.dma.close();
            assertThatIllegalStateException().isThrownBy(series::submit).withMessage(CONTEXT + " is closed");
            series.close();
        }
    }

    @Test
    void looksAfterMemoryThatAUserMayFree() {
        try (Lab lab = new Lab();
                BufInventory buffers = BufInventory.create(4)) {
            Arena arena = Arena.ofShared();
            MemorySegment segment = arena.allocate(4096, 4096);
            Mmap mine = Mmap.registerUnowned(lab.device, segment, Access.LOCAL_READ_WRITE);
            DmaSeries series =
                    lab.dma.series(List.of(buffers.data(mine, 0, 64)), List.of(buffers.space(mine, 1000, 64)));
            run(lab, series);
            assertThat(segment.asSlice(1000, 64).mismatch(segment.asSlice(0, 64)))
                    .isEqualTo(-1);
            arena.close();
            assertThatIllegalStateException()
                    .isThrownBy(series::submit)
                    .withMessage("The memory of " + mine + " was freed while it was mapped");
            series.close();
            buffers.close();
            mine.close();
        }
    }
}
