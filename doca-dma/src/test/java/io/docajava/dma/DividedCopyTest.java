/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.docajava.DocaException;
import io.docajava.core.DocaError;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.Await;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests copies that are longer than one task can copy, and contexts that restart after a failure. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
@SuppressWarnings("try")
class DividedCopyTest {

    private static final Duration NEVER = Duration.ofHours(24);

    private final List<Throwable> reported = new CopyOnWriteArrayList<>();
    private Device device;
    private ProgressLoop loop;
    private DmaContext dma;
    private long piece;

    @BeforeEach
    void open() {
        device = Device.open(DeviceFilter.pciAddress("03:00.0"));
        loop = ProgressLoop.builder()
                .maxQueued(4)
                .rejectWhenFull(true)
                .errorHandler(reported::add)
                .start();
        dma = DmaContext.builder(device).maxTasks(4).start(loop);
        piece = DmaCapabilities.of(device).maxBufferSize();
        assumeTrue(piece <= 4 * 1024 * 1024, () -> "a piece of a copy has " + piece + " bytes, too many for a test");
    }

    @AfterEach
    void close() {
        dma.close();
        loop.close();
        device.close();
    }

    private Mmap filled(long bytes) {
        Mmap map = empty(bytes);
        for (long i = 0; i < bytes; i++) {
            map.segment().set(ValueLayout.JAVA_BYTE, i, Lab.byteAt(i));
        }
        return map;
    }

    private Mmap empty(long bytes) {
        return Mmap.allocate(device, bytes, Access.LOCAL_READ_WRITE);
    }

    private static void assertEqual(MemorySegment actual, MemorySegment expected) {
        assertThat(actual.mismatch(expected)).isEqualTo(-1);
    }

    private static MemorySegment zeros(long bytes) {
        return MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);
    }

    private void awaitInFlight(int number) {
        Await.until(() -> dma.stats().inFlight() >= number, number + " tasks in flight");
    }

    @Test
    void copiesMoreThanOneTaskDoes() throws Exception {
        long length = 7 * piece + 77;
        try (Mmap source = filled(length + 5);
                Mmap target = empty(length + 20)) {
            assertThat(dma.copy(source.range(5, length), target.range(9, length))
                            .await())
                    .isEqualTo(length);
            assertEqual(target.segment().asSlice(9, length), source.segment().asSlice(5, length));
            assertEqual(target.segment().asSlice(0, 9), zeros(9));
            assertEqual(target.segment().asSlice(9 + length), zeros(11));
        }
    }

    @Test
    void copiesLengthsAtTheLimitOfAPiece() throws Exception {
        try (Mmap source = filled(2 * piece + 1);
                Mmap target = empty(2 * piece + 1)) {
            for (long length : List.of(0L, 1L, piece - 1, piece, piece + 1, 2 * piece, 2 * piece + 1)) {
                target.segment().fill((byte) 0);
                assertThat(dma.copy(source.range(0, length), target.range(0, length))
                                .await())
                        .isEqualTo(length);
                assertEqual(
                        target.segment().asSlice(0, length), source.segment().asSlice(0, length));
                assertEqual(target.segment().asSlice(length), zeros(2 * piece + 1 - length));
            }
        }
    }

    @Test
    void copiesWithinOneMap() throws Exception {
        try (Mmap memory = filled(2 * piece + 2)) {
            assertThat(dma.copy(memory.range(0, piece + 1), memory.range(piece + 1, piece + 1))
                            .await())
                    .isEqualTo(piece + 1);
            assertEqual(memory.segment().asSlice(piece + 1), memory.segment().asSlice(0, piece + 1));
        }
    }

    @Test
    void copiesOnAnEngineWithoutALoop() throws Exception {
        long length = 5 * piece + 3;
        try (ProgressEngine engine = ProgressEngine.create();
                DmaContext own = DmaContext.builder(device).maxTasks(1).start(engine);
                Mmap source = filled(length);
                Mmap target = empty(length);
                Mmap other = empty(length)) {
            Completion<Long> first = own.copy(source.all(), target.all());
            Completion<Long> second = own.copy(source.all(), other.all());
            assertThat(first.await()).isEqualTo(length);
            assertThat(second.await()).isEqualTo(length);
            assertEqual(target.segment(), source.segment());
            assertEqual(other.segment(), source.segment());
        }
    }

    /** Other operations use all tasks when the copy begins. */
    @Test
    void waitsForAFreeTaskOnAnyEngine() throws Exception {
        long length = 2 * piece;
        try (ProgressEngine engine = ProgressEngine.create();
                DmaContext own = DmaContext.builder(device).maxTasks(1).start(engine);
                Mmap source = filled(length);
                Mmap target = empty(length)) {
            List<Long> ended = new ArrayList<>();
            own.copy(source.range(0, 10), target.range(0, 10), (end, failure) -> ended.add(end.bytes()));
            Completion<Long> copy = own.copy(source.all(), target.all());
            assertThat(own.stats().queued()).isEqualTo(1);
            Completion<Long> next = own.copy(source.all(), target.all());
            assertThat(own.stats().queued()).isEqualTo(2);
            assertThat(copy.await()).isEqualTo(length);
            assertThat(next.await()).isEqualTo(length);
            assertThat(ended).containsExactly(10L);
            assertThat(own.stats().queued()).isZero();
            try (DmaTask task = own.task(source.range(0, 10), target.range(0, 10))) {
                assertThatThrownBy(() -> own.copy(source.all(), target.all()).await())
                        .isInstanceOf(DocaException.class)
                        .hasMessageContaining("has no free task: all 1 are held by open prepared tasks and series");
            }
            assertThat(own.copy(source.all(), target.all()).await()).isEqualTo(length);
        }
    }

    @Test
    void reportsItsProgress() throws Exception {
        try (Mmap source = filled(3 * piece + 1);
                Mmap target = empty(3 * piece + 1)) {
            List<Long> bytes = new CopyOnWriteArrayList<>();
            assertThat(dma.copy(source.all(), target.all(), number -> bytes.add(number))
                            .await())
                    .isEqualTo(3 * piece + 1);
            assertThat(bytes).hasSize(4).isSorted().endsWith(3 * piece + 1);
            bytes.clear();
            assertThat(dma.copy(source.range(0, 5), target.range(0, 5), number -> bytes.add(number))
                            .await())
                    .isEqualTo(5);
            assertThat(bytes).containsExactly(5L);
            bytes.clear();
            assertThat(dma.copy(source.range(0, 0), target.range(0, 0), number -> bytes.add(number))
                            .await())
                    .isZero();
            assertThat(bytes).isEmpty();
        }
    }

    @Test
    void goesOnIfTheProgressListenerThrows() throws Exception {
        try (Mmap source = filled(3 * piece);
                Mmap target = empty(3 * piece)) {
            assertThat(dma.copy(source.all(), target.all(), bytes -> {
                                throw new IllegalStateException("at " + bytes);
                            })
                            .await())
                    .isEqualTo(3 * piece);
            assertEqual(target.segment(), source.segment());
            loop.call(engine -> true).join();
            assertThat(reported).hasSize(3).allMatch(IllegalStateException.class::isInstance);
        }
    }

    /** The pieces of two copies take turns, and leave tasks to copies that are not divided. */
    @Test
    @DocaEmulator
    void usesHalfOfTheTasks() throws Exception {
        try (Mmap source = filled(8 * piece);
                Mmap target = empty(8 * piece)) {
            List<Completion<Long>> copies = new ArrayList<>();
            try (EmulatorFaults faults = EmulatorFaults.builder().delay(NEVER).inject()) {
                copies.add(dma.copy(source.range(0, 4 * piece), target.range(0, 4 * piece)));
                copies.add(dma.copy(source.range(4 * piece, 3 * piece), target.range(4 * piece, 3 * piece)));
                assertThat(loop.call(engine -> engine.inFlight()).join()).isEqualTo(2);
                assertThat(dma.stats().queued()).isEqualTo(2);
                copies.add(dma.copy(source.range(7 * piece, piece), target.range(7 * piece, piece)));
                awaitInFlight(3);
            }
            assertThat(copies.get(0).await()).isEqualTo(4 * piece);
            assertThat(copies.get(1).await()).isEqualTo(3 * piece);
            assertThat(copies.get(2).await()).isEqualTo(piece);
            assertEqual(target.segment(), source.segment());
            assertThat(dma.stats().queued()).isZero();
        }
    }

    @Test
    void manyThreadsCopyAtOnce() throws Exception {
        long block = piece + 1000;
        int blocks = 12;
        try (ProgressLoop patient = ProgressLoop.builder().maxQueued(4).start();
                DmaContext shared = DmaContext.builder(device).maxTasks(1).start(patient);
                Mmap source = filled(block * blocks);
                Mmap target = empty(block * blocks)) {
            try (ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<Long>> copies = new ArrayList<>();
                for (int i = 0; i < blocks; i++) {
                    MapRange from = source.range(i * block, block);
                    MapRange to = target.range(i * block, block);
                    copies.add(virtual.submit(() -> shared.copy(from, to).await()));
                }
                for (Future<Long> copy : copies) {
                    assertThat(copy.get()).isEqualTo(block);
                }
            }
            assertEqual(target.segment(), source.segment());
        }
    }

    /** The pieces of the copy do not overlap: each is as long as the distance. */
    @Test
    void refusesACopyOverItsOwnSource() {
        try (Mmap memory = empty(3 * piece)) {
            assertThatThrownBy(() -> dma.copy(memory.range(0, 2 * piece), memory.range(piece, 2 * piece)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("The target would be written over the source: " + 2 * piece + " bytes at 0 of " + memory
                            + " and at " + piece + " of " + memory);
        }
    }

    @Test
    void refusesATargetThatIsReadOnly() throws Exception {
        try (Mmap source = empty(2 * piece);
                Mmap target = Mmap.allocate(device, 2 * piece, Access.LOCAL_READ_ONLY)) {
            assertThatThrownBy(() -> dma.copy(source.all(), target.all()).await())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("The target is in " + target + ", whose access lacks LOCAL_READ_WRITE");
            assertThat(dma.copy(target.all(), source.all()).await()).isEqualTo(2 * piece);
        }
    }

    @Test
    void aHandlerOrATaskTakesOnePieceOnly() {
        try (Mmap source = empty(piece + 1);
                Mmap target = empty(piece + 1)) {
            String refusal = "A task on " + Lab.DEVICE + " can copy " + piece + " bytes, and not " + (piece + 1)
                    + ": copies with a future divide themselves into several tasks";
            assertThat(loop.call(engine -> List.of(
                                    catchThrowable(() -> dma.copy(source.all(), target.all(), (end, failure) -> {})),
                                    catchThrowable(() -> dma.task(source.all(), target.all())),
                                    catchThrowable(() -> dma.series(List.of(source.all()), List.of(target.all())))))
                            .join())
                    .allSatisfy(failure -> assertThat(failure)
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessage(refusal));
        }
    }

    @Test
    @DocaEmulator
    void namesTheOffsetOfThePieceThatFails() throws Exception {
        long length = 5 * piece;
        try (Mmap source = filled(length);
                Mmap target = empty(length)) {
            try (EmulatorFaults faults =
                    EmulatorFaults.builder().failTask(3, "IO_FAILED").inject()) {
                assertThatThrownBy(() -> dma.copy(source.all(), target.all()).await())
                        .isInstanceOfSatisfying(TaskFailedException.class, failure -> {
                            assertThat(failure)
                                    .hasMessage("Copying " + length + " bytes from 0 of " + source + " to 0 of "
                                            + target + " failed at offset " + 2 * piece + ": IO_FAILED");
                            assertThat(failure.error()).isEqualTo(DocaError.IO_FAILED);
                            assertThat(failure.isRootCause()).isTrue();
                            assertThat(failure.getCause())
                                    .isInstanceOf(TaskFailedException.class)
                                    .hasMessageStartingWith("Copying " + piece + " bytes from " + 2 * piece + " of ");
                        });
            }
            assertThatThrownBy(() -> dma.copy(source.all(), target.all()).await())
                    .isInstanceOf(ContextNotRunningException.class);
            dma.restart();
            assertThat(dma.copy(source.all(), target.all()).await()).isEqualTo(length);
            assertEqual(target.segment(), source.segment());
        }
    }

    @Test
    @DocaEmulator
    void aFailureThatLeavesTheContextRunningFailsItsCopyOnly() throws Exception {
        try (Mmap source = filled(5 * piece);
                Mmap target = empty(5 * piece)) {
            try (EmulatorFaults faults =
                    EmulatorFaults.builder().failTask(2, "AGAIN").inject()) {
                assertThatThrownBy(() -> dma.copy(source.all(), target.all()).await())
                        .isInstanceOf(TaskFailedException.class)
                        .hasMessageEndingWith("failed at offset " + piece + ": AGAIN");
                assertThat(dma.copy(source.range(0, 100), target.range(0, 100)).await())
                        .isEqualTo(100);
            }
        }
    }

    /**
     * The first copy fails; the second has two pieces in flight and more to submit, and the third has none in flight. All completions
     * are held until then, so that no copy completes before the failure.
     */
    @Test
    @DocaEmulator
    void aFailureAbortsOtherCopies() {
        long length = 4 * piece;
        try (Mmap source = filled(length);
                Mmap target = empty(length);
                Mmap other = empty(length)) {
            List<Completion<Long>> copies;
            try (EmulatorFaults faults = EmulatorFaults.builder()
                    .failTask(1, "IO_FAILED")
                    .delay(Duration.ofHours(24))
                    .inject()) {
                copies = loop.call(engine -> List.of(
                                dma.copy(source.range(0, piece), other.range(0, piece)),
                                dma.copy(source.all(), target.all()),
                                dma.copy(source.all(), target.all())))
                        .join();
                loop.call(engine -> true).join();
            }
            assertThatThrownBy(() -> copies.get(0).await())
                    .isInstanceOfSatisfying(
                            TaskFailedException.class,
                            failure -> assertThat(failure.isRootCause()).isTrue());
            // A copy without a piece in flight is refused like a new one.
            for (Completion<Long> copy : copies.subList(1, 3)) {
                assertThatThrownBy(() -> copy.await()).isInstanceOfSatisfying(DocaException.class, failure -> {
                    if (failure instanceof TaskFailedException aborted) {
                        assertThat(aborted.reason()).isEqualTo(TaskFailedException.Reason.ABORTED);
                        assertThat(aborted.rootCause()).isPresent();
                    } else {
                        assertThat(failure).isInstanceOf(ContextNotRunningException.class);
                    }
                });
            }
        }
    }

    /** The context restarts and repeats what the failure of the first copy has aborted: pieces, and a copy that is not divided. */
    @Test
    @DocaEmulator
    void aContextThatRestartsRepeatsWhatAFailureHasAborted() throws Exception {
        long length = 4 * piece;
        try (DmaContext robust = DmaContext.builder(device)
                        .maxTasks(4)
                        .restartAfterFailure(true)
                        .start(loop);
                Mmap source = filled(length);
                Mmap target = empty(length);
                Mmap other = empty(length)) {
            try (EmulatorFaults faults =
                    EmulatorFaults.builder().failTask(1, "IO_FAILED").inject()) {
                List<Completion<Long>> copies = loop.call(engine -> List.of(
                                robust.copy(source.range(0, piece), other.range(0, piece)),
                                robust.copy(source.range(piece, 100), other.range(piece, 100)),
                                robust.copy(source.all(), target.all()),
                                robust.copy(source.range(2 * piece, 100), other.range(2 * piece, 100))))
                        .join();
                assertThatThrownBy(() -> copies.get(0).await()).isInstanceOf(TaskFailedException.class);
                assertThat(copies.get(1).await()).isEqualTo(100);
                assertThat(copies.get(2).await()).isEqualTo(length);
                assertThat(copies.get(3).await()).isEqualTo(100);
            }
            assertEqual(target.segment(), source.segment());
            for (long offset : List.of(piece, 2 * piece)) {
                assertEqual(
                        other.segment().asSlice(offset, 100), source.segment().asSlice(offset, 100));
            }
            assertThat(robust.state()).isEqualTo(ContextState.RUNNING);
            assertThat(reported).isEmpty();

            robust.stop();
            assertThatThrownBy(() -> robust.copy(source.all(), target.all()).await())
                    .isInstanceOf(ContextNotRunningException.class);
            assertThat(robust.state()).isEqualTo(ContextState.IDLE);
        }
    }

    @Test
    @DocaEmulator
    void allCopiesEndIfTheContextCannotBeRestarted() throws Exception {
        try (DmaContext robust = DmaContext.builder(device)
                        .maxTasks(1)
                        .restartAfterFailure(true)
                        .start(loop);
                Mmap source = filled(300);
                Mmap target = empty(300)) {
            List<Completion<Long>> copies;
            try (EmulatorFaults faults = EmulatorFaults.builder()
                    .delay(NEVER)
                    .failTask(1, "IO_FAILED")
                    .inject()) {
                copies = loop.call(engine -> {
                            List<Completion<Long>> all = List.of(
                                    robust.copy(source.range(0, 100), target.range(0, 100)),
                                    robust.copy(source.range(100, 100), target.range(100, 100)),
                                    robust.copy(source.range(200, 100), target.range(200, 100)));
                            robust.flush();
                            return all;
                        })
                        .join();
                faults.replace(EmulatorFaults.builder().failCall("doca_ctx_start", 1, "DRIVER"));
                assertThatThrownBy(() -> copies.getFirst().await()).isInstanceOf(TaskFailedException.class);
                for (Completion<Long> copy : copies.subList(1, 3)) {
                    assertThatThrownBy(copy::await)
                            .isInstanceOf(DocaException.class)
                            .hasMessageContaining("doca_ctx_start failed with DOCA_ERROR_DRIVER");
                }
            }
            Await.result(loop.call(engine -> true), "the loop");
            assertThat(reported)
                    .singleElement()
                    .satisfies(failure ->
                            assertThat(failure).hasMessageContaining("doca_ctx_start failed with DOCA_ERROR_DRIVER"));
            assertThatThrownBy(() -> robust.copy(source.all(), target.all()).await())
                    .isInstanceOf(ContextNotRunningException.class);
            robust.restart();
            assertThat(robust.copy(source.all(), target.all()).await()).isEqualTo(300);
        }
    }

    @Test
    @DocaEmulator
    void copiesThatWaitFillTheQueueOfTheLoop() throws Exception {
        try (Mmap source = filled(12 * piece);
                Mmap target = empty(12 * piece)) {
            List<Completion<Long>> copies = new ArrayList<>();
            try (EmulatorFaults faults = EmulatorFaults.builder().delay(NEVER).inject()) {
                // The first copy takes half of the tasks; the others fill the queue.
                for (int i = 0; i < 5; i++) {
                    copies.add(copyWhenThereIsRoom(
                            source.range(2L * i * piece, 2 * piece), target.range(2L * i * piece, 2 * piece)));
                }
                assertThatThrownBy(() -> dma.copy(source.range(0, piece), target.range(0, piece)))
                        .isInstanceOf(RejectedExecutionException.class)
                        .hasMessage(dma + " on ProgressLoop \"" + loop.thread().getName() + "\" is full: it has as much"
                                + " work queued as its limit allows, which is 4; maxQueued() of the loop sets it");
                assertThat(copies).noneMatch(CompletableFuture::isDone);
            }
            for (Completion<Long> copy : copies) {
                assertThat(copy.await()).isEqualTo(2 * piece);
            }
            assertEqual(
                    target.segment().asSlice(0, 10 * piece), source.segment().asSlice(0, 10 * piece));
        }
    }

    /** Retries, as the place of a copy is freed a moment after all its pieces are submitted. */
    private Completion<Long> copyWhenThereIsRoom(MapRange source, MapRange target) {
        while (true) {
            try {
                return dma.copy(source, target);
            } catch (RejectedExecutionException full) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    @DocaEmulator
    void aCancelledCopySubmitsNoFurtherPieces() {
        try (Mmap source = filled(4 * piece);
                Mmap target = empty(4 * piece)) {
            Completion<Long> copy;
            try (EmulatorFaults faults = EmulatorFaults.builder().delay(NEVER).inject()) {
                copy = dma.copy(source.all(), target.all());
                awaitInFlight(2);
                assertThat(copy.cancel(false)).isTrue();
                assertThatThrownBy(source::close)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("cannot be closed while");
            }
            assertThatThrownBy(copy::join).isInstanceOf(CancellationException.class);
            Await.until(() -> dma.stats().inFlight() == 0, "the end of the tasks in flight");
            assertThat(dma.stats().queued()).isZero();
            assertEqual(target.segment().asSlice(2 * piece), zeros(2 * piece));
        }
    }

    @Test
    @DocaEmulator
    void aProgressListenerCancels() throws Exception {
        try (ProgressEngine engine = ProgressEngine.create();
                DmaContext own = DmaContext.builder(device).maxTasks(1).start(engine);
                Mmap source = filled(4 * piece);
                Mmap target = empty(4 * piece)) {
            List<Completion<Long>> copies = new ArrayList<>();
            copies.add(own.copy(
                    source.all(), target.all(), bytes -> copies.getFirst().cancel(false)));
            assertThatThrownBy(() -> copies.getFirst().await()).isInstanceOf(CancellationException.class);
            engine.progressAll();
            assertThat(own.inFlight()).isZero();
            assertEqual(target.segment().asSlice(0, piece), source.segment().asSlice(0, piece));
            assertEqual(target.segment().asSlice(piece), zeros(3 * piece));
        }
    }

    @Test
    @DocaEmulator
    void closingTheContextEndsItsCopies() {
        try (Mmap source = filled(3 * piece);
                Mmap target = empty(3 * piece)) {
            List<Completion<Long>> copies;
            try (EmulatorFaults faults = EmulatorFaults.builder().delay(NEVER).inject()) {
                copies = loop.call(engine ->
                                List.of(dma.copy(source.all(), target.all()), dma.copy(source.all(), target.all())))
                        .join();
                dma.close();
            }
            assertThatThrownBy(() -> copies.get(0).await())
                    .isInstanceOfSatisfying(TaskFailedException.class, failure -> {
                        // The SDK reports the pieces in any order.
                        assertThat(failure).hasMessageMatching(".* failed at offset (0|" + piece + "): .*");
                        assertThat(failure.reason()).isEqualTo(TaskFailedException.Reason.CANCELLED);
                    });
            assertThatThrownBy(() -> copies.get(1).await()).isInstanceOf(ContextNotRunningException.class);
        }
    }

    @Test
    @DocaEmulator
    void twoThreadsCloseAtOnceWhileTheQueueOfTheLoopIsFull() throws Exception {
        try (Mmap source = filled(2 * piece);
                Mmap target = empty(2 * piece)) {
            List<Completion<Long>> copies = new ArrayList<>();
            try (EmulatorFaults faults = EmulatorFaults.builder().delay(NEVER).inject()) {
                for (int i = 0; i < 5; i++) {
                    copies.add(copyWhenThereIsRoom(source.all(), target.all()));
                }
                assertThatThrownBy(() -> dma.copy(source.all(), target.all()))
                        .isInstanceOf(RejectedExecutionException.class);
                assertThat(loop.call(engine -> true).join()).isTrue();
                List<FutureTask<Boolean>> closes = new ArrayList<>();
                for (int i = 0; i < 2; i++) {
                    FutureTask<Boolean> close = new FutureTask<>(dma::close, true);
                    closes.add(close);
                    Thread.ofPlatform().start(close);
                }
                for (FutureTask<Boolean> close : closes) {
                    assertThat(close.get()).isTrue();
                }
            }
            assertThat(copies).allMatch(CompletableFuture::isCompletedExceptionally);
        }
    }

    @Test
    @DocaEmulator
    void isClosedAgainAfterAFailure() {
        try (Mmap source = filled(2 * piece);
                Mmap target = empty(2 * piece)) {
            Completion<Long> copy;
            try (EmulatorFaults faults = EmulatorFaults.builder()
                    .delay(NEVER)
                    .failCall("doca_ctx_stop", 1, "DRIVER")
                    .inject()) {
                copy = dma.copy(source.all(), target.all());
                assertThatThrownBy(dma::close)
                        .isInstanceOf(DocaException.class)
                        .hasMessageContaining("doca_ctx_stop failed with DOCA_ERROR_DRIVER");
                assertThat(copy).isNotDone();
                dma.close();
            }
            assertThat(copy).isCompletedExceptionally();
        }
    }

    @Test
    void closingTheLoopWaitsForItsCopies() throws Exception {
        try (Mmap source = filled(6 * piece);
                Mmap target = empty(6 * piece)) {
            Completion<Long> copy = dma.copy(source.all(), target.all());
            loop.close();
            assertThat(copy).isCompletedWithValue(6 * piece);
            assertEqual(target.segment(), source.segment());
            assertThatThrownBy(() -> dma.copy(source.all(), target.all())).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    @DocaEmulator
    void copiesOfAnAbandonedContextEnd() {
        ProgressLoop hasty =
                ProgressLoop.builder().closeTimeout(Duration.ofMillis(50)).start();
        DmaContext stuck = DmaContext.builder(device).maxTasks(2).start(hasty);
        ProgressEngine engine = hasty.call(own -> own).join();
        Mmap source = filled(4 * piece);
        Mmap target = empty(4 * piece);
        try (EmulatorFaults faults = EmulatorFaults.builder()
                .delay(NEVER)
                .failCall("doca_ctx_stop", 1, "DRIVER")
                .inject()) {
            List<Completion<Long>> copies = hasty.call(own ->
                            List.of(stuck.copy(source.all(), target.all()), stuck.copy(source.all(), target.all())))
                    .join();
            assertThatThrownBy(hasty::close).isInstanceOf(RuntimeException.class);
            assertThat(copies).allMatch(CompletableFuture::isCompletedExceptionally);
            assertThatThrownBy(source::close).isInstanceOf(IllegalStateException.class);
        }
        stuck.close();
        engine.close();
        target.close();
        source.close();
    }
}
