/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.docajava.core.DocaError;
import io.docajava.core.DocaException;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.testing.LogCapture;
import io.docajava.core.testing.OpenHandles;
import io.docajava.core.testing.OtherThread;
import io.docajava.ffi.generated.common.DocaCommon;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(OpenHandles.class)
@Timeout(30)
class MmapTest {

    private static final String PLACE = " on 0000:03:00.0 (mlx5_0)";

    private Device device;

    @BeforeEach
    void open() {
        device = Device.open(DeviceFilter.any());
    }

    @AfterEach
    void close() {
        device.close();
    }

    @Test
    void allocatesZeroedAlignedMemory() {
        try (Mmap map = Mmap.allocate(device, 5000, Access.LOCAL_READ_WRITE)) {
            assertThat(map.byteSize()).isEqualTo(5000);
            assertThat(map.segment().byteSize()).isEqualTo(5000);
            assertThat(map.segment().address() % 4096).isZero();
            assertThat(map.segment().toArray(JAVA_BYTE)).containsOnly(0);
            assertThat(map.access()).isEqualTo(Access.LOCAL_READ_WRITE);
            assertThat(map).hasToString("Mmap of 5000 bytes" + PLACE);
        }
    }

    @ParameterizedTest
    @CsvSource({"1,64", "64,64", "65,128", "4096,4096"})
    void mapsWholeCacheLinesOfItsOwnMemory(long bytes, long mapped) {
        try (LogCapture log = LogCapture.ofSdk();
                Mmap map = Mmap.allocate(device, bytes, Access.LOCAL_READ_WRITE)) {
            assertThat(map.byteSize()).isEqualTo(bytes);
            assertMapped(map, mapped);
            assertThat(log.lines()).isEmpty();
        }
    }

    @Test
    void mapsNoByteBesideTheMemoryOfTheCaller() {
        try (Mmap map = Mmap.register(device, Arena.global().allocate(100, 64), Access.LOCAL_READ_WRITE)) {
            assertMapped(map, 100);
        }
    }

    private static void assertMapped(Mmap map, long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(JAVA_LONG);
            MemorySegment length = arena.allocate(JAVA_LONG);
            int result = DocaCommon.doca_mmap_get_memrange(
                    MemorySegment.ofAddress(map.state().pointer()), address, length);

            assertThat(result).isZero();
            assertThat(address.get(JAVA_LONG, 0)).isEqualTo(map.segment().address());
            assertThat(length.get(JAVA_LONG, 0)).isEqualTo(bytes);
        }
    }

    @Test
    void isUsableByAllThreads() throws InterruptedException {
        Mmap map = Mmap.allocate(device, 64, Access.LOCAL_READ_WRITE);

        assertThat(OtherThread.thrownBy(() -> map.segment().set(JAVA_LONG, 0, 42)))
                .isNull();
        assertThat(map.segment().get(JAVA_LONG, 0)).isEqualTo(42);
        assertThat(OtherThread.thrownBy(map::close)).isNull();
    }

    @Test
    void isNotUsableAfterClose() {
        Mmap map = Mmap.allocate(device, 64, Access.LOCAL_READ_WRITE);
        MemorySegment segment = map.segment();

        map.close();
        map.close();

        assertThatIllegalStateException()
                .isThrownBy(() -> segment.get(JAVA_LONG, 0))
                .withMessage("Already closed");
        try (BufInventory inventory = BufInventory.create(1)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> inventory.data(map, 0, 64))
                    .withMessage("Mmap of 64 bytes" + PLACE + " is closed");
            assertThat(inventory.available()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void refusesSizesThatAreNone(long bytes) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Mmap.allocate(device, bytes, Access.LOCAL_READ_WRITE))
                .withMessage("An Mmap has at least 1 byte, and not " + bytes);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE - 4095, Long.MAX_VALUE - 4096, 1L << 62})
    void saysThatThereIsNotSoMuchMemory(long bytes) {
        assertThatExceptionOfType(OutOfMemoryError.class)
                .isThrownBy(() -> Mmap.allocate(device, bytes, Access.LOCAL_READ_WRITE))
                .withMessage("There is no memory for an Mmap of " + bytes + " bytes");
    }

    @Test
    void saysWhyTheSdkRefuses() {
        try (LogCapture log = LogCapture.ofSdk()) {
            assertThatExceptionOfType(DocaException.class)
                    .isThrownBy(
                            () -> Mmap.allocate(device, 4096, Access.PCI_READ_WRITE.and(Access.PCI_RELAXED_ORDERING)))
                    .withMessageMatching(
                            "Mapping 4096 bytes with access PCI_READ_WRITE\\|PCI_RELAXED_ORDERING: doca_mmap_set_permissions"
                                    + " failed with DOCA_ERROR_INVALID_VALUE \\(Invalid input\\): Mmap 0x[0-9a-f]+: Invalid"
                                    + " input: permissions 0x60")
                    .satisfies(e -> {
                        assertThat(e.error()).isEqualTo(DocaError.INVALID_VALUE);
                        assertThat(e.code()).isEqualTo(6);
                        assertThat(e.function()).isEqualTo("doca_mmap_set_permissions");
                        assertThat(e.getSuppressed()).isEmpty();
                    });
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .matches("ERROR Mmap 0x[0-9a-f]+: Invalid input: permissions 0x60");
        }
    }

    @Test
    void hasEveryAccessThatTheSdkHas() {
        for (Access access : new Access[] {
            Access.LOCAL_READ_ONLY,
            Access.RDMA_READ.and(Access.RDMA_WRITE).and(Access.RDMA_ATOMIC),
            Access.PCI_READ_ONLY.and(Access.LOCAL_READ_WRITE),
            Access.PCI_READ_WRITE,
            Access.PCI_RELAXED_ORDERING
        }) {
            try (Mmap map = Mmap.allocate(device, 64, access)) {
                assertThat(map.access()).isEqualTo(access);
                assertThat(map.state().isWritable()).isEqualTo(access.includes(Access.LOCAL_READ_WRITE));
            }
        }
    }

    @Test
    void registersMemoryThatCannotBeFreed() {
        MemorySegment memory = Arena.global().allocate(64, 64);

        try (Mmap map = Mmap.register(device, memory, Access.LOCAL_READ_WRITE)) {
            assertThat(map.segment()).isEqualTo(memory);
        }

        memory.set(JAVA_LONG, 0, 42);
        assertThat(memory.get(JAVA_LONG, 0)).isEqualTo(42);
    }

    @Test
    void refusesToRegisterMemoryThatCanBeFreed() {
        String message = "This memory can be freed while a device uses it, since it is not of the global arena: let the"
                + " Mmap allocate its memory, or use registerUnowned and keep the memory until the Mmap is closed";
        try (Arena confined = Arena.ofConfined();
                Arena shared = Arena.ofShared()) {
            for (MemorySegment memory : new MemorySegment[] {
                confined.allocate(64, 64),
                shared.allocate(64, 64),
                Arena.ofAuto().allocate(64, 64),
                MemorySegment.ofBuffer(ByteBuffer.allocateDirect(64))
            }) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> Mmap.register(device, memory, Access.LOCAL_READ_WRITE))
                        .withMessage(message);
            }
        }
    }

    @Test
    void registersAnyNativeMemoryByPromise() {
        try (Arena confined = Arena.ofConfined();
                Arena shared = Arena.ofShared();
                BufInventory inventory = BufInventory.create(1)) {
            for (MemorySegment memory : new MemorySegment[] {
                confined.allocate(64, 64),
                shared.allocate(64, 64),
                shared.allocate(128, 64).asSlice(64),
                Arena.ofAuto().allocate(64, 64),
                Arena.global().allocate(64, 64),
                MemorySegment.ofBuffer(ByteBuffer.allocateDirect(128)).asSlice(0, 64)
            }) {
                try (Mmap map = Mmap.registerUnowned(device, memory, Access.LOCAL_READ_WRITE);
                        Buf buf = inventory.data(map, 0, 64)) {
                    assertThat(buf.data()).isEqualTo(memory);
                }
            }
        }
    }

    @Test
    void refusesMemoryThatNoDeviceReaches() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Mmap.register(device, MemorySegment.ofArray(new byte[64]), Access.LOCAL_READ_WRITE))
                .withMessage("Heap memory cannot be mapped: a device needs memory that does not move");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Mmap.registerUnowned(
                        device, MemorySegment.ofBuffer(ByteBuffer.allocate(64)), Access.LOCAL_READ_WRITE))
                .withMessage("Heap memory cannot be mapped: a device needs memory that does not move");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> Mmap.register(device, Arena.global().allocate(64).asReadOnly(), Access.LOCAL_READ_WRITE))
                .withMessage(
                        "A read-only segment cannot be mapped: map a writable one with the access LOCAL_READ_ONLY");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Mmap.register(device, MemorySegment.NULL, Access.LOCAL_READ_WRITE))
                .withMessage("An Mmap has at least 1 byte, and not 0");
    }

    @Test
    void refusesMemoryThatWasFreed() {
        MemorySegment memory;
        try (Arena arena = Arena.ofShared()) {
            memory = arena.allocate(64);
        }

        assertThatIllegalStateException()
                .isThrownBy(() -> Mmap.registerUnowned(device, memory, Access.LOCAL_READ_WRITE))
                .withMessage("The memory to be mapped was freed");
    }

    @Test
    void refusesMemoryOfAnotherThread() throws InterruptedException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(64);

            assertThat(OtherThread.thrownBy(() -> Mmap.registerUnowned(device, memory, Access.LOCAL_READ_WRITE)))
                    .isExactlyInstanceOf(IllegalStateException.class)
                    .hasMessage("The memory to be mapped is of the confined arena of another thread");
        }
    }

    @Test
    void refusesBuffersOnceItsMemoryWasFreed() {
        try (BufInventory inventory = BufInventory.create(2)) {
            Arena arena = Arena.ofShared();
            try (Mmap map = Mmap.registerUnowned(device, arena.allocate(64, 64), Access.LOCAL_READ_WRITE)) {
                Buf early = inventory.data(map, 0, 64);
                arena.close();

                String message = "The memory of Mmap of 64 bytes" + PLACE + " was freed while it was mapped";
                assertThatIllegalStateException()
                        .isThrownBy(() -> inventory.data(map, 0, 64))
                        .withMessage(message);
                assertThatIllegalStateException()
                        .isThrownBy(() -> map.state().checkAlive())
                        .withMessage(message);
                assertThatIllegalStateException()
                        .isThrownBy(() -> early.data().get(JAVA_BYTE, 0))
                        .withMessage("Already closed");
                early.close();
            }
        }
    }

    @Test
    void doesNotCloseWhileBuffersPointIntoIt() {
        Mmap map = Mmap.allocate(device, 64, Access.LOCAL_READ_WRITE);
        try (BufInventory inventory = BufInventory.create(2)) {
            Buf first = inventory.data(map, 0, 64);
            Buf second = inventory.space(map, 0, 64);

            assertThatIllegalStateException()
                    .isThrownBy(map::close)
                    .withMessage("Mmap of 64 bytes" + PLACE + " cannot be closed while 2 buffers point into it");
            second.close();
            assertThatIllegalStateException()
                    .isThrownBy(map::close)
                    .withMessage("Mmap of 64 bytes" + PLACE + " cannot be closed while 1 buffer points into it");
            first.data().set(JAVA_LONG, 0, 42);
        }
        map.close();
    }

    @Test
    void staysOpenWhenTheSdkRefusesToDestroyIt() {
        Mmap map = Mmap.allocate(device, 64, Access.LOCAL_READ_WRITE);
        try (BufInventory inventory = BufInventory.create(2)) {
            inventory.data(map, 0, 64);
            // Behind the back of the map, as a fault of doca-java would be.
            map.state().release();

            assertThatExceptionOfType(DocaException.class)
                    .isThrownBy(map::close)
                    .withMessageMatching(
                            "Closing Mmap of 64 bytes on 0000:03:00\\.0 \\(mlx5_0\\): doca_mmap_destroy failed"
                                    + " with DOCA_ERROR_NOT_PERMITTED \\(Operation not permitted\\): Mmap 0x[0-9a-f]+: Failed to"
                                    + " destroy: 1 buffers point to it");

            map.state().hold();
            inventory.data(map, 0, 64);
            map.segment().set(JAVA_LONG, 0, 42);
        }
        map.close();
    }

    @Test
    void freesItsMemoryLaterWhenItIsInUse() throws Exception {
        Pipe pipe = Pipe.open();
        Mmap map = Mmap.allocate(device, 64, Access.LOCAL_READ_WRITE);
        Thread reader = new Thread(() -> read(pipe, map.segment().asByteBuffer()), "reader");
        reader.start();
        awaitNativeRead(reader);

        assertThatIllegalStateException()
                .isThrownBy(map::close)
                .withMessage("The memory of Mmap of 64 bytes" + PLACE
                        + " cannot be freed while a native call or an I/O operation uses it; close again after that");
        try (BufInventory inventory = BufInventory.create(1)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> inventory.data(map, 0, 64))
                    .withMessage("Mmap of 64 bytes" + PLACE + " is closed");
        }

        pipe.sink().close();
        reader.join();
        map.close();
        assertThat(map.segment().scope().isAlive()).isFalse();
    }

    private static void read(Pipe pipe, ByteBuffer buffer) {
        try (Pipe.SourceChannel source = pipe.source()) {
            source.read(buffer);
        } catch (IOException e) {
            throw new AssertionError("The pipe failed", e);
        }
    }

    private static void awaitNativeRead(Thread reader) {
        while (Arrays.stream(reader.getStackTrace())
                .noneMatch(frame -> frame.getMethodName().equals("read0"))) {
            Thread.onSpinWait();
        }
    }
}
