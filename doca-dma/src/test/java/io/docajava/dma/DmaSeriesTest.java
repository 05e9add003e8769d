/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.ContextStats;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.ffi.submission.TaskCommands;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.Await;
import io.docajava.testing.CompletionModes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
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

    private static List<MapRange> sources(Lab lab, int count) {
        lab.data(0, count * 64L).close();
        return ranges(lab, 0, count);
    }

    private static List<MapRange> targets(Lab lab, int count) {
        return ranges(lab, TARGETS, count);
    }

    private static List<MapRange> ranges(Lab lab, long offset, int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> lab.memory.range(offset + number * 64L, 64))
                .toList();
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
                try (DmaSeries series = lab.dma.series(sources(lab, size), targets(lab, size))) {
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
                    }
                }
            }
            assertThat(lab.reported).isEmpty();
        }
    }

    @Test
    void usesRangesOfAnyLengthAndOneSourceForMany() {
        try (Lab lab = new Lab()) {
            lab.data(0, 64).close();
            MapRange source = lab.memory.range(16, 32);
            fill(lab, 1000, 64, 9);
            List<MapRange> targets = List.of(lab.memory.range(1012, 32), lab.memory.range(3000, 32));
            try (DmaSeries series = lab.dma.series(List.of(source, source), targets)) {
                run(lab, series);
                run(lab, series);
                assertThat(series.bytes()).isEqualTo(64);
            }
            lab.assertCopied(16, 1012, 32);
            lab.assertCopied(16, 3000, 32);
            assertFilled(lab, 1000, 12, 9);
            assertFilled(lab, 1044, 20, 9);
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
            MapRange range = lab.memory.range(0, 64);
            try (DmaSeries series = lab.dma.series(List.of(range, range), targets(lab, 2))) {
                var first = lab.dma.copy(shared, lab.space(10_000, 64));
                series.submit();
                var second = lab.dma.copy(range, lab.memory.range(20_000, 64));
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
    void aMapClosesUnlessTheSeriesIsInFlight() {
        try (Lab lab = new Lab()) {
            Mmap memory = Mmap.allocate(lab.device, 4096, Access.LOCAL_READ_WRITE);
            try (DmaSeries series = lab.dma.series(List.of(memory.range(0, 64)), targets(lab, 1))) {
                series.submit();
                assertThatIllegalStateException()
                        .isThrownBy(memory::close)
                        .withMessage(memory + " cannot be closed while operations in flight use it: " + CONTEXT);
                finish(lab, series);
                memory.close();
                assertThatIllegalStateException().isThrownBy(series::submit).withMessage(memory + " is closed");
                assertThat(series.status()).isEqualTo(TaskStatus.SUCCEEDED);
            }
        }
    }

    /** A list that another thread changes may differ each time that it is read. */
    @Test
    void readsEachListOnce() {
        try (Lab lab = new Lab()) {
            List<MapRange> targets = targets(lab, 2);
            List<MapRange> changing = new AbstractList<>() {

                private int size = 2;

                @Override
                public int size() {
                    int current = size;
                    size = 1;
                    return current;
                }

                @Override
                public MapRange get(int index) {
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
            MapRange source = lab.memory.range(0, 64);
            MapRange target = lab.memory.range(1000, 64);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> lab.dma.series(List.of(), List.of()))
                    .withMessage("A series has at least 1 copy");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> lab.dma.series(List.of(source), List.of(target, target)))
                    .withMessage("A series has as many targets as sources, and not 1 sources and 2 targets");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> lab.dma.series(List.of(source), List.of(lab.memory.range(3000, 63))))
                    .withMessage("A copy of 64 bytes does not fit into a target of 63 bytes");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> lab.dma.series(List.of(source), List.of(lab.memory.range(63, 64))))
                    .withMessageStartingWith("The target would be written over the source: 64 bytes at 0 of ");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> lab.dma.series(List.of(source.slice(0, 0)), List.of(target.slice(0, 0))))
                    .withMessage("A prepared copy has at least 1 byte");
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
            try (DmaSeries series = lab.dma.series(sources(lab, 8), targets(lab, 8))) {
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
                lab.awaitIdle(Await.LIMIT);
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
            }
        }
    }

    @Test
    @DocaEmulator
    void runsAgainAfterFailuresOfSomeCopies() throws Exception {
        Requirements.engine();
        try (Lab lab = new Lab(8)) {
            try (DmaSeries series = lab.dma.series(sources(lab, 3), targets(lab, 3))) {
                for (int failing = 1; failing <= 3; failing++) {
                    try (EmulatorFaults faults =
                            EmulatorFaults.builder().failTask(failing, "AGAIN").inject()) {
                        run(lab, series);
                    }
                    assertThat(series.failure()).isPresent();
                    lab.memory.segment().asSlice(TARGETS, 192).fill((byte) 0);
                    run(lab, series);
                    assertThat(series.failure()).isEmpty();
                    lab.assertCopied(0, TARGETS, 192);
                }
            }
        }
    }

    /** A copy is refused after others were submitted, which end as usual. */
    @Test
    @DocaEmulator
    void copiesBeforeARefusedOneEnd() throws Exception {
        Requirements.engine();
        String function = TaskCommands.hasFlags() ? "doca_task_submit_ex" : "doca_task_submit";
        try (Lab lab = new Lab(8);
                DmaSeries series = lab.dma.series(sources(lab, 4), targets(lab, 4))) {
            for (int refused = 2; refused <= 4; refused++) {
                ContextStats before = lab.dma.stats();
                fill(lab, TARGETS, 256, 0);
                try (EmulatorFaults faults = EmulatorFaults.builder()
                        .failCall(function, refused, "NO_MEMORY")
                        .inject()) {
                    series.submit();
                }
                assertThat(series.status()).isEqualTo(TaskStatus.IN_FLIGHT);
                finish(lab, series);
                assertThat(series.failure().orElseThrow().function()).isEqualTo(function);
                int copied = refused - 1;
                lab.assertCopied(0, TARGETS, copied * 64L);
                assertFilled(lab, TARGETS + copied * 64L, 256 - copied * 64L, 0);
                ContextStats after = lab.dma.stats();
                assertThat(after.completed() - before.completed()).isEqualTo(copied);
                assertThat(after.failed() - before.failed()).isEqualTo(4 - copied);
                assertThat(after.bytes() - before.bytes()).isEqualTo(copied * 64L);
                assertThat(lab.dma.inFlight()).isZero();
            }
            run(lab, series);
            assertThat(series.failure()).isEmpty();
            lab.assertCopied(0, TARGETS, 256);
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
                copies.add(lab.dma.copy(lab.memory.range(0, 64), lab.memory.range(20_000 + i * 64L, 64)));
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
        try (Lab lab = new Lab()) {
            Arena arena = Arena.ofShared();
            MemorySegment segment = arena.allocate(4096, 4096);
            Mmap mine = Mmap.registerUnchecked(lab.device, segment, Access.LOCAL_READ_WRITE);
            DmaSeries series = lab.dma.series(List.of(mine.range(0, 64)), List.of(mine.range(1000, 64)));
            run(lab, series);
            assertThat(segment.asSlice(1000, 64).mismatch(segment.asSlice(0, 64)))
                    .isEqualTo(-1);
            arena.close();
            assertThatIllegalStateException()
                    .isThrownBy(series::submit)
                    .withMessage("The memory of " + mine + " was freed while it was mapped");
            series.close();
            mine.close();
        }
    }
}
