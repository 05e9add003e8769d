/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.docajava.DocaException;
import io.docajava.core.DocaError;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.DocaExtension;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests copies of any length by any thread. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
@SuppressWarnings("try")
class DmaCopierTest {

    private static final Duration NEVER = Duration.ofHours(24);
    private static final Duration LATE = Duration.ofSeconds(20);

    private Device device;
    private ProgressLoop loop;
    private DmaCopier copier;
    private long part;

    @BeforeEach
    void open() {
        device = Device.open(DeviceFilter.pciAddress("03:00.0"));
        loop = ProgressLoop.builder().maxQueued(4).rejectWhenFull(true).start();
        copier = DmaCopier.start(loop, DmaContext.builder(device).maxTasks(2));
        part = DmaCapabilities.of(device).maxBufferSize();
        assumeTrue(part <= 4 * 1024 * 1024, () -> "a part of a copy has " + part + " bytes, too many for a test");
    }

    @AfterEach
    void close() {
        copier.close();
        loop.close();
        device.close();
    }

    private Mmap filled(long bytes) {
        Mmap map = Mmap.allocate(device, bytes, Access.LOCAL_READ_WRITE);
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

    @Test
    void copiesMoreThanTheDeviceDoesAtOnce() {
        long length = 3 * part + 77;
        try (Mmap source = filled(length + 5);
                Mmap target = empty(length + 20)) {
            assertThat(copier.copy(source, 5, target, 9, length).join()).isEqualTo(length);
            assertEqual(target.segment().asSlice(9, length), source.segment().asSlice(5, length));
            assertEqual(target.segment().asSlice(0, 9), zeros(9));
            assertEqual(target.segment().asSlice(9 + length), zeros(11));
        }
    }

    @Test
    void copiesLengthsAtTheLimitOfAPart() {
        try (Mmap source = filled(2 * part + 1);
                Mmap target = empty(2 * part + 1)) {
            for (long length : List.of(0L, 1L, part - 1, part, part + 1, 2 * part, 2 * part + 1)) {
                target.segment().fill((byte) 0);
                assertThat(copier.copy(source, 0, target, 0, length).join()).isEqualTo(length);
                assertEqual(
                        target.segment().asSlice(0, length), source.segment().asSlice(0, length));
                long rest = 2 * part + 1 - length;
                assertEqual(target.segment().asSlice(length), zeros(rest));
            }
        }
    }

    @Test
    void copiesWithinOneMap() {
        try (Mmap memory = filled(2 * part + 2)) {
            assertThat(copier.copy(memory, 0, memory, part + 1, part + 1).join())
                    .isEqualTo(part + 1);
            assertEqual(memory.segment().asSlice(part + 1), memory.segment().asSlice(0, part + 1));
        }
    }

    @Test
    void copiesSegments() {
        long length = part + 3;
        Arena arena = Arena.ofAuto();
        MemorySegment source = arena.allocate(length);
        MemorySegment target = arena.allocate(length);
        source.fill((byte) 7);
        assertThat(copier.copy(source, target).join()).isEqualTo(length);
        assertEqual(target, source);
        assertThatThrownBy(() -> copier.copy(source, target.asSlice(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The source has " + length + " bytes and the target " + (length - 1)
                        + ": the sizes of segments must be equal");
        assertThatThrownBy(() -> copier.copy(source, zeros(length)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Heap memory cannot be mapped: a device needs memory that does not move");
    }

    @Test
    void manyThreadsCopyAtOnce() throws Exception {
        long block = 1000;
        int blocks = 300;
        try (ProgressLoop patient = ProgressLoop.builder().maxQueued(8).start();
                DmaCopier shared =
                        DmaCopier.start(patient, DmaContext.builder(device).maxTasks(4));
                Mmap source = filled(block * blocks);
                Mmap target = empty(block * blocks)) {
            try (ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<Long>> copies = new ArrayList<>();
                for (int i = 0; i < blocks; i++) {
                    long offset = i * block;
                    copies.add(virtual.submit(() ->
                            shared.copy(source, offset, target, offset, block).join()));
                }
                for (Future<Long> copy : copies) {
                    assertThat(copy.get()).isEqualTo(block);
                }
            }
            assertEqual(target.segment(), source.segment());
        }
    }

    @Test
    void refusesRangesOutsideOfTheMaps() {
        try (Mmap source = empty(100);
                Mmap target = empty(50)) {
            assertThatThrownBy(() -> copier.copy(source, 1, target, 0, 100))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessage("A copy of 100 bytes at 1 is not inside of Mmap of 100 bytes on " + Lab.DEVICE);
            assertThatThrownBy(() -> copier.copy(source, 0, target, 0, 100))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessage("A copy of 100 bytes at 0 is not inside of Mmap of 50 bytes on " + Lab.DEVICE);
            assertThatThrownBy(() -> copier.copy(source, 0, target, 0, -1))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> copier.copy(source, -1, target, 0, 1))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> copier.copy(source, Long.MAX_VALUE, target, 0, 1))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    /** The parts of the copy do not overlap: each is as long as the distance. */
    @Test
    void refusesACopyOverItsOwnSource() {
        try (Mmap memory = empty(3 * part)) {
            assertThatThrownBy(
                            () -> copier.copy(memory, 0, memory, part, 2 * part).join())
                    .cause()
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("The target would be written over the source: " + 2 * part + " bytes at 0 of " + memory
                            + " and " + 2 * part + " bytes at " + part + " of " + memory);
        }
    }

    @Test
    @DocaEmulator
    void reportsARefusedCopyAlsoIfItsMapsCannotBeClosed() {
        Set<Resource> before = Resource.allOpen();
        MemorySegment memory = Arena.ofAuto().allocate(100);
        try (EmulatorFaults faults = EmulatorFaults.builder()
                .failCall("doca_mmap_destroy", 1, "DRIVER")
                .inject()) {
            assertThatThrownBy(() -> copier.copy(memory, memory).join())
                    .cause()
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("The target would be written over the source: 100 bytes at 0 of ")
                    .satisfies(refusal -> assertThat(refusal.getSuppressed())
                            .singleElement()
                            .asInstanceOf(InstanceOfAssertFactories.THROWABLE)
                            .hasMessageContaining("doca_mmap_destroy failed with DOCA_ERROR_DRIVER"));
        }
        Set<Resource> left = new HashSet<>(Resource.allOpen());
        left.removeAll(before);
        assertThat(left).singleElement().extracting(Resource::owner).isInstanceOf(Mmap.class);
        copier.close();
        assertThat(Resource.allOpen()).doesNotContainAnyElementsOf(left);
    }

    @Test
    void refusesATargetThatIsReadOnly() {
        try (Mmap source = empty(100);
                Mmap target = Mmap.allocate(device, 100, Access.LOCAL_READ_ONLY)) {
            assertThatThrownBy(() -> copier.copy(source, 0, target, 0, 100).join())
                    .cause()
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("The target is in " + target + ", whose access lacks LOCAL_READ_WRITE");
            assertThat(copier.copy(target, 0, source, 0, 100).join()).isEqualTo(100);
        }
    }

    @Test
    @DocaEmulator
    void namesTheOffsetOfThePartThatFails() {
        long length = 5 * part;
        try (Mmap source = filled(length);
                Mmap target = empty(length)) {
            try (EmulatorFaults faults =
                    EmulatorFaults.builder().failTask(3, "IO_FAILED").inject()) {
                assertThatThrownBy(
                                () -> copier.copy(source, 0, target, 0, length).join())
                        .cause()
                        .isInstanceOfSatisfying(TaskFailedException.class, failure -> {
                            assertThat(failure)
                                    .hasMessage("Copying " + length + " bytes from 0 of " + source + " to 0 of "
                                            + target + " failed at offset " + 2 * part + ": IO_FAILED");
                            assertThat(failure.error()).isEqualTo(DocaError.IO_FAILED);
                            assertThat(failure.isRootCause()).isTrue();
                            assertThat(failure.getCause())
                                    .isInstanceOf(TaskFailedException.class)
                                    .hasMessageStartingWith("Copying " + part + " bytes from " + 2 * part + " of ");
                        });
            }
            // The context was restarted.
            assertThat(copier.copy(source, 0, target, 0, length).join()).isEqualTo(length);
            assertEqual(target.segment(), source.segment());
        }
    }

    @Test
    @DocaEmulator
    void aFailureThatLeavesTheContextRunningFailsItsCopyOnly() {
        try (Mmap source = filled(5 * part);
                Mmap target = empty(5 * part)) {
            try (EmulatorFaults faults =
                    EmulatorFaults.builder().failTask(2, "AGAIN").inject()) {
                assertThatThrownBy(() ->
                                copier.copy(source, 0, target, 0, 5 * part).join())
                        .cause()
                        .isInstanceOf(TaskFailedException.class)
                        .hasMessageEndingWith("failed at offset " + part + ": AGAIN");
                assertThat(copier.copy(source, 0, target, 0, 100).join()).isEqualTo(100);
            }
        }
    }

    /** Both copies have a part in flight when the first one fails, and the second copy has more parts to submit. */
    @Test
    @DocaEmulator
    void theFailureOfOneCopyDoesNotFailAnother() throws Exception {
        long length = 4 * part;
        try (Mmap source = filled(length);
                Mmap target = empty(length);
                Mmap other = empty(length)) {
            CompletableFuture<Long> bad;
            CompletableFuture<Long> good;
            try (EmulatorFaults faults =
                    EmulatorFaults.builder().failTask(1, "IO_FAILED").inject()) {
                List<CompletableFuture<Long>> copies = loop.call(engine -> List.of(
                                copier.copy(source, 0, other, 0, part), copier.copy(source, 0, target, 0, length)))
                        .join();
                bad = copies.getFirst();
                good = copies.getLast();
                assertThatThrownBy(bad::join).cause().isInstanceOf(TaskFailedException.class);
                assertThat(good.join()).isEqualTo(length);
            }
            assertEqual(target.segment(), source.segment());
        }
    }

    @Test
    @DocaEmulator
    void copiesThatWaitFillTheQueueOfTheLoop() {
        try (Mmap source = filled(10 * part);
                Mmap target = empty(10 * part)) {
            List<CompletableFuture<Long>> copies = new ArrayList<>();
            try (EmulatorFaults faults = EmulatorFaults.builder().delay(NEVER).inject()) {
                // The first copy takes both tasks; the others fill the queue.
                for (int i = 0; i < 4; i++) {
                    copies.add(copyWhenThereIsRoom(source, target, 2L * i * part, i == 0 ? 2 * part : part));
                }
                copies.add(copyWhenThereIsRoom(source, target, 8 * part, 2 * part));
                assertThatThrownBy(() -> copier.copy(source, 0, target, 0, part))
                        .isInstanceOf(RejectedExecutionException.class)
                        .hasMessageStartingWith(
                                "ProgressLoop \"" + loop.thread().getName() + "\" is full");
                assertThat(copies).noneMatch(CompletableFuture::isDone);
            }
            assertThat(copies.stream().mapToLong(CompletableFuture::join).sum()).isEqualTo(7 * part);
            assertEqual(target.segment().asSlice(8 * part), source.segment().asSlice(8 * part));
        }
    }

    /** Retries, as the place of a copy is freed a moment after all its parts are submitted. */
    private CompletableFuture<Long> copyWhenThereIsRoom(Mmap source, Mmap target, long offset, long length) {
        while (true) {
            try {
                return copier.copy(source, offset, target, offset, length);
            } catch (RejectedExecutionException full) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    @DocaEmulator
    void aCancelledCopySubmitsNoFurtherParts() {
        try (Mmap source = filled(4 * part);
                Mmap target = empty(4 * part)) {
            CompletableFuture<Long> copy;
            try (EmulatorFaults faults = EmulatorFaults.builder().delay(NEVER).inject()) {
                copy = copier.copy(source, 0, target, 0, 4 * part);
                while (loop.call(engine -> engine.inFlight()).join() < 2) {
                    Thread.onSpinWait();
                }
                assertThat(copy.cancel(false)).isTrue();
            }
            assertThatThrownBy(copy::join).isInstanceOf(CancellationException.class);
            // Closing waits for the parts in flight.
            copier.close();
            assertEqual(target.segment().asSlice(2 * part), zeros(2 * part));
        }
    }

    @Test
    @DocaEmulator
    void closingAbortsWhatDoesNotEndInTime() {
        DmaCopier hasty =
                DmaCopier.start(loop, DmaContext.builder(device).maxTasks(1).closeTimeout(Duration.ofMillis(50)));
        try (Mmap source = filled(3 * part);
                Mmap target = empty(3 * part)) {
            CompletableFuture<Long> copy;
            try (EmulatorFaults faults = EmulatorFaults.builder().delay(NEVER).inject()) {
                copy = hasty.copy(source, 0, target, 0, 3 * part);
                hasty.close();
            }
            assertThatThrownBy(copy::join)
                    .isInstanceOf(CompletionException.class)
                    .cause()
                    .isInstanceOf(TaskFailedException.class)
                    .hasMessageContaining(" failed at offset 0: ");
        }
    }

    @Test
    @DocaEmulator
    void twoThreadsCloseAtOnce() throws Exception {
        ProgressLoop shared = ProgressLoop.builder().closeTimeout(LATE).start();
        DmaCopier both = DmaCopier.start(shared, DmaContext.builder(device).closeTimeout(LATE));
        try (Mmap source = filled(part);
                Mmap target = empty(part)) {
            List<FutureTask<Boolean>> closes = new ArrayList<>();
            CompletableFuture<Long> copy;
            long began;
            try (EmulatorFaults faults = EmulatorFaults.builder().delay(NEVER).inject()) {
                copy = both.copy(source, 0, target, 0, part);
                for (int i = 0; i < 2; i++) {
                    FutureTask<Boolean> close = new FutureTask<>(both::close, true);
                    closes.add(close);
                    Thread thread = Thread.ofPlatform().start(close);
                    while (thread.getState() != Thread.State.WAITING) {
                        Thread.onSpinWait();
                    }
                }
                // The loop has run what both have queued.
                shared.call(engine -> true).join();
                assertThat(closes).noneMatch(FutureTask::isDone);
                began = System.nanoTime();
            }
            for (FutureTask<Boolean> close : closes) {
                assertThat(close.get()).isTrue();
            }
            shared.close();
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(LATE.dividedBy(2));
            assertThat(copy).isCompletedWithValue(part);
        }
    }

    @Test
    @DocaEmulator
    void isClosedAgainAfterAFailure() {
        ProgressLoop own = ProgressLoop.builder().closeTimeout(LATE).start();
        DmaCopier hasty = DmaCopier.start(own, DmaContext.builder(device).closeTimeout(Duration.ofSeconds(2)));
        try (Mmap source = filled(part);
                Mmap target = empty(part)) {
            CompletableFuture<Long> copy;
            long began = System.nanoTime();
            try (EmulatorFaults faults = EmulatorFaults.builder()
                    .delay(NEVER)
                    .failCall("doca_ctx_stop", 1, "DRIVER")
                    .inject()) {
                copy = hasty.copy(source, 0, target, 0, part);
                assertThatThrownBy(hasty::close)
                        .isInstanceOf(DocaException.class)
                        .hasMessageContaining("doca_ctx_stop failed with DOCA_ERROR_DRIVER");
                assertThat(copy).isNotDone();
                hasty.close();
            }
            own.close();
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(LATE.dividedBy(2));
            assertThat(copy).isCompletedExceptionally();
        }
    }

    @Test
    void closingWaitsForWhatIsQueued() {
        try (Mmap source = filled(3 * part);
                Mmap target = empty(3 * part)) {
            CompletableFuture<Long> copy = copier.copy(source, 0, target, 0, 3 * part);
            copier.close();
            copier.close();
            assertThat(copy).isCompletedWithValue(3 * part);
            assertEqual(target.segment(), source.segment());
            assertThatThrownBy(() -> copier.copy(source, 0, target, 0, 1))
                    .isInstanceOf(RejectedExecutionException.class)
                    .hasMessage("DmaCopier on " + Lab.DEVICE + " is closed");
            assertThatThrownBy(() -> copier.copy(source.segment(), target.segment()))
                    .isInstanceOf(RejectedExecutionException.class)
                    .hasMessage("DmaCopier on " + Lab.DEVICE + " is closed");
        }
    }

    @Test
    void isClosedAfterItsLoop() {
        loop.close();
        try (Mmap memory = empty(2)) {
            assertThatThrownBy(() -> copier.copy(memory, 0, memory, 1, 1))
                    .isInstanceOf(RejectedExecutionException.class)
                    .hasMessage("ProgressLoop \"" + loop.thread().getName() + "\" is closed");
        }
        MemorySegment segment = Arena.ofAuto().allocate(8);
        assertThatThrownBy(() -> copier.copy(segment, segment)).isInstanceOf(RejectedExecutionException.class);
        copier.close();
    }

    /** Two loops that close each other's copiers would deadlock. */
    @Test
    void isNotStartedOrClosedByALoop() {
        try (ProgressLoop other = ProgressLoop.start()) {
            for (ProgressLoop caller : List.of(loop, other)) {
                String reason = " by the thread of ProgressLoop \""
                        + caller.thread().getName() + "\", as loops could wait for each other forever";
                assertThatThrownBy(() -> caller.call(engine -> DmaCopier.start(loop, device))
                                .join())
                        .cause()
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("A DmaCopier cannot be started" + reason);
                assertThatThrownBy(() -> caller.call(engine -> {
                                    copier.close();
                                    return true;
                                })
                                .join())
                        .cause()
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("DmaCopier on " + Lab.DEVICE + " cannot be closed" + reason);
            }
        }
        try (Mmap memory = filled(2)) {
            assertThat(copier.copy(memory, 0, memory, 1, 1).join()).isEqualTo(1);
        }
    }

    @Test
    void isNotStartedWithMoreTasksThanTheDeviceHas() {
        int tasks = DmaCapabilities.of(device).maxTasks();
        assertThatThrownBy(
                        () -> DmaCopier.start(loop, DmaContext.builder(device).maxTasks(tasks + 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("A DMA context on " + Lab.DEVICE + " can have " + tasks + " tasks at most: " + (tasks + 1));
    }
}
