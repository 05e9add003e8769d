/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.DocaException;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.junit.DocaEmulator;
import io.docajava.testing.Await;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a copier that cannot close the maps of segments that it has copied. */
@DocaEmulator
@Timeout(600)
@SuppressWarnings("try")
class DmaCopierMapsTest {

    private static final int BYTES = 64;
    private static final Duration NEVER = Duration.ofHours(24);

    private static final String NOT_CLOSED =
            "Closing Mmap of 64 bytes on " + Lab.DEVICE + ": doca_mmap_destroy failed with DOCA_ERROR_DRIVER";
    private static final String IN_USE = "Mmap of 64 bytes on " + Lab.DEVICE + " cannot be closed while 1 buffer";

    private final List<Throwable> reported = new CopyOnWriteArrayList<>();
    private final Arena arena = Arena.ofAuto();

    private Device device;
    private Mmap source;
    private Mmap target;
    private ProgressLoop loop;
    private DmaCopier copier;

    @BeforeEach
    void open() {
        device = Device.open(DeviceFilter.pciAddress("03:00.0"));
        source = Mmap.allocate(device, 2 * BYTES, Access.LOCAL_READ_WRITE);
        target = Mmap.allocate(device, 2 * BYTES, Access.LOCAL_READ_WRITE);
        loop = ProgressLoop.builder().errorHandler(reported::add).start();
        copier = DmaCopier.start(loop, DmaContext.builder(device).maxTasks(1));
    }

    @AfterEach
    void close() {
        copier.close();
        loop.close();
        target.close();
        source.close();
        device.close();
    }

    private CompletableFuture<Long> copySegments() {
        return copier.copy(segment(), segment());
    }

    private MemorySegment segment() {
        return arena.allocate(BYTES, 64);
    }

    private CompletableFuture<Long> copyBlock(long block) {
        return copier.copy(source, block * BYTES, target, block * BYTES, BYTES);
    }

    private static long joined(CompletableFuture<Long> copy) throws Exception {
        return Await.result(copy, "a copy");
    }

    /** Waits until the loop has begun all copies and has reported all failures of the completed ones. */
    private void awaitLoop() throws Exception {
        Await.result(loop.call(engine -> true), "the loop");
    }

    /** Returns the open maps of segments. */
    private List<Mmap> openMaps() {
        return Resource.allOpen().stream()
                .map(Resource::owner)
                .filter(Mmap.class::isInstance)
                .map(Mmap.class::cast)
                .filter(map -> !map.equals(source) && !map.equals(target))
                .toList();
    }

    private static EmulatorFaults.Builder failClose() {
        return EmulatorFaults.builder().failCall("doca_mmap_destroy", 1, "DRIVER");
    }

    private void assertReported(String message) throws Exception {
        awaitLoop();
        assertThat(reported)
                .singleElement()
                .satisfies(failure -> assertThat(failure).hasMessageStartingWith(message));
    }

    @Test
    void otherCopiesGoOnAndALaterOneClosesTheMap() throws Exception {
        try (EmulatorFaults faults = EmulatorFaults.builder().delay(NEVER).inject()) {
            CompletableFuture<Long> first = copyBlock(0);
            CompletableFuture<Long> cancelled = copySegments();
            CompletableFuture<Long> last = copyBlock(1);
            awaitLoop();
            assertThat(cancelled.cancel(false)).isTrue();
            faults.replace(failClose());

            assertThat(joined(first)).isEqualTo(BYTES);
            assertThat(joined(last)).isEqualTo(BYTES);
            assertReported(NOT_CLOSED);
            assertThat(openMaps()).hasSize(1);
        }
        assertThat(joined(copySegments())).isEqualTo(BYTES);
        assertThat(openMaps()).isEmpty();
        assertThat(reported).hasSize(1);
    }

    @Test
    void allCopiesEndIfTheContextCannotBeRestarted() throws Exception {
        try (EmulatorFaults faults =
                EmulatorFaults.builder().delay(NEVER).failTask(1, "IO_FAILED").inject()) {
            CompletableFuture<Long> first = copyBlock(0);
            CompletableFuture<Long> second = copySegments();
            CompletableFuture<Long> last = copyBlock(1);
            awaitLoop();
            try (BufInventory inventory = BufInventory.create(1)) {
                assertThat(inventory.data(openMaps().getFirst(), 0, 1).length()).isEqualTo(1);
                faults.replace(EmulatorFaults.builder().failCall("doca_ctx_start", 1, "DRIVER"));

                assertThatThrownBy(() -> joined(first)).cause().isInstanceOf(TaskFailedException.class);
                for (CompletableFuture<Long> copy : List.of(second, last)) {
                    assertThatThrownBy(() -> joined(copy))
                            .cause()
                            .isInstanceOf(DocaException.class)
                            .hasMessageContaining("doca_ctx_start failed with DOCA_ERROR_DRIVER");
                }
                assertReported(IN_USE);
            }
        }
        assertThat(openMaps()).hasSize(1);
        copier.close();
        assertThat(openMaps()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void closeThrowsTheFailureAndCanBeRepeated(boolean isLoopClosed) throws Exception {
        try (EmulatorFaults faults = failClose().inject()) {
            assertThat(joined(copySegments())).isEqualTo(BYTES);
            assertReported(NOT_CLOSED);
            faults.replace(failClose());
            assertThatThrownBy(copier::close).isInstanceOf(DocaException.class).hasMessageStartingWith(NOT_CLOSED);
        }
        assertThat(openMaps()).hasSize(1);
        if (isLoopClosed) {
            loop.close();
        }
        copier.close();
        assertThat(openMaps()).isEmpty();
        assertThat(reported).hasSize(1);
    }

    @Test
    void closeThrowsTheFailuresOfAllMaps() throws Exception {
        try (BufInventory inventory = BufInventory.create(2)) {
            try (EmulatorFaults faults = EmulatorFaults.builder().delay(NEVER).inject()) {
                CompletableFuture<Long> copy = copySegments();
                for (Mmap map : openMaps()) {
                    assertThat(inventory.data(map, 0, 1).length()).isEqualTo(1);
                }
                faults.close();
                assertThat(joined(copy)).isEqualTo(BYTES);
            }
            assertReported(IN_USE);
            assertThatThrownBy(copier::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith(IN_USE)
                    .satisfies(failure -> assertThat(failure.getSuppressed())
                            .singleElement()
                            .satisfies(other -> assertThat(other).hasMessageStartingWith(IN_USE)));
            assertThat(openMaps()).hasSize(2);
        }
        copier.close();
        assertThat(openMaps()).isEmpty();
    }

    @Test
    void closeClosesTheMapOfACopyThatWasCancelledBeforeItBegan() throws Exception {
        CountDownLatch cancelled = new CountDownLatch(1);
        CompletableFuture<Boolean> busy = loop.call(engine -> {
            cancelled.await();
            return true;
        });
        CompletableFuture<Long> copy = copySegments();
        try (EmulatorFaults faults = failClose().inject()) {
            assertThat(copy.cancel(false)).isTrue();
            assertThat(openMaps()).hasSize(1);
        }
        cancelled.countDown();
        Await.result(busy, "the loop");
        copier.close();
        assertThat(openMaps()).isEmpty();
    }

    @Test
    void closeClosesTheMapOfARefusedCopy() {
        try (EmulatorFaults faults = failClose().inject()) {
            assertThatThrownBy(() -> copier.copy(segment(), MemorySegment.ofArray(new byte[BYTES])))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("Heap memory cannot be mapped: a device needs memory that does not move")
                    .satisfies(refusal -> assertThat(refusal.getSuppressed())
                            .singleElement()
                            .satisfies(failure -> assertThat(failure).hasMessageStartingWith(NOT_CLOSED)));
        }
        assertThat(openMaps()).hasSize(1);
        copier.close();
        assertThat(openMaps()).isEmpty();
    }
}
