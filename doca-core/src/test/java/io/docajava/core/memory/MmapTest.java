/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.internal.memory.MmapImpl;
import io.docajava.core.internal.memory.NativeMap;
import io.docajava.core.testing.ChildJvm;
import io.docajava.core.testing.LogCapture;
import io.docajava.core.testing.OpenHandles;
import io.docajava.core.testing.OtherThread;
import io.docajava.core.testing.Requirements;
import io.docajava.ffi.internal.NativeMemory;
import io.docajava.testing.NeedsEmulator;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.MemorySegment.Scope;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(OpenHandles.class)
@Timeout(600)
class MmapTest {

    private static final String PLACE = " on 0000:03:00.0 (mlx5_0)";

    @TempDir
    Path folder;

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

    @ParameterizedTest
    @ValueSource(ints = {2, 4 + 1, 8 + 1, 16, 32, 16 + 1, 32 + 2})
    void mapsForOthersNoByteThatWasNotAskedFor(int access) {
        try (Mmap map = Mmap.allocate(device, 65, Access.ofFlags(access))) {
            assertMapped(map, 65);
        }
    }

    @Test
    void mapsNoByteBesideTheMemoryOfTheCaller() {
        try (Mmap map = Mmap.register(device, Arena.global().allocate(100, 64), Access.LOCAL_READ_WRITE)) {
            assertMapped(map, 100);
        }
    }

    private static void assertMapped(Mmap map, long bytes) {
        assertThat(new NativeMap(MmapImpl.state(map).pointer()).range("test"))
                .isEqualTo(new NativeMap.Range(map.segment().address(), bytes));
    }

    @Test
    void aDeviceCountsTheBytesOfItsOpenMaps() {
        assertThat(device.registeredBytes()).isZero();
        try (Device another = Device.open(DeviceFilter.ibDevice("mlx5_1"));
                Mmap onBoth = Mmap.builder().device(device).device(another).allocate(5000);
                Mmap onOne = Mmap.allocate(device, 64, Access.LOCAL_READ_WRITE)) {
            assertThat(another.registeredBytes()).isEqualTo(onBoth.byteSize());
            assertThat(device.registeredBytes()).isEqualTo(onBoth.byteSize() + onOne.byteSize());
        }
        assertThat(device.registeredBytes()).isZero();
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
    @NeedsEmulator
    void saysWhyTheSdkRefuses() {
        MemorySegment nowhere = NativeMemory.ofAddress(0, 4096);
        try (LogCapture log = LogCapture.ofSdk()) {
            assertThatExceptionOfType(DocaCallException.class)
                    .isThrownBy(() -> Mmap.register(device, nowhere, Access.LOCAL_READ_WRITE))
                    .withMessageMatching("Mapping 4096 bytes: doca_mmap_set_memrange failed with"
                            + " DOCA_ERROR_INVALID_VALUE \\(Invalid input\\): Mmap 0x[0-9a-f]+: Invalid input: 4096 bytes"
                            + " at \\(nil\\) are no memory range")
                    .satisfies(e -> {
                        assertThat(e.error()).isEqualTo(DocaError.INVALID_VALUE);
                        assertThat(e.code()).isEqualTo(6);
                        assertThat(e.function()).isEqualTo("doca_mmap_set_memrange");
                        assertThat(e.getSuppressed()).isEmpty();
                    });
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .matches("ERROR Mmap 0x[0-9a-f]+: Invalid input: 4096 bytes at \\(nil\\) are no memory range");
        }
    }

    @Test
    void hasEveryAccessThatTheSdkHas() {
        for (Access access : new Access[] {
            Access.LOCAL_READ_ONLY,
            Access.RDMA_READ,
            Access.LOCAL_READ_WRITE
                    .plus(Access.RDMA_READ)
                    .plus(Access.RDMA_WRITE)
                    .plus(Access.RDMA_ATOMIC),
            Access.PCI_READ_ONLY.plus(Access.LOCAL_READ_WRITE),
            Access.PCI_READ_WRITE,
            Access.PCI_RELAXED_ORDERING
        }) {
            Requirements.access(device, access);
            try (Mmap map = Mmap.allocate(device, 64, access)) {
                assertThat(map.access()).isEqualTo(access);
                boolean isWritable = access.includes(Access.LOCAL_READ_WRITE) || access.includes(Access.PCI_READ_WRITE);
                assertThat(MmapImpl.state(map).isWritable()).isEqualTo(isWritable);
                assertThat(MmapImpl.state(map).grants().missingToWrite())
                        .isEqualTo(isWritable ? null : "LOCAL_READ_WRITE");
            }
        }
    }

    /** Typed views do not reveal that they belong to a file. */
    @Test
    void peersWriteOnlyWhereThisSideCan() {
        for (Access access : new Access[] {
            Access.RDMA_WRITE,
            Access.RDMA_ATOMIC,
            Access.RDMA_READ.plus(Access.RDMA_WRITE),
            Access.PCI_READ_WRITE.plus(Access.RDMA_ATOMIC)
        }) {
            String message = "An Mmap with access " + access
                    + " needs LOCAL_READ_WRITE as well: peers can write only to memory that this side can write to";
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Mmap.allocate(device, 64, access))
                    .withMessage(message);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Mmap.builder().access(access))
                    .withMessage(message);
        }
    }

    @Test
    void registersAMappedFileByAPromiseOnly() throws IOException {
        Path file = Files.write(folder.resolve("mapped"), new byte[4096]);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment auto = channel.map(FileChannel.MapMode.READ_WRITE, 0, 4096, Arena.ofAuto());
            MemorySegment global = channel.map(FileChannel.MapMode.READ_WRITE, 0, 4096, Arena.global());
            for (MemorySegment mapped : new MemorySegment[] {
                auto,
                auto.asSlice(64, 64),
                MemorySegment.ofBuffer(auto.asByteBuffer().asLongBuffer()),
                MemorySegment.ofBuffer(auto.asByteBuffer().slice(64, 64).asCharBuffer()),
                MemorySegment.ofBuffer(global.asByteBuffer().asIntBuffer())
            }) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> Mmap.register(device, mapped, Access.LOCAL_READ_WRITE))
                        .withMessage("This memory is of a mapped file, and is lost if the file is truncated: use"
                                + " registerUnchecked and keep the file as it is until the Mmap is closed");
                try (Mmap map = Mmap.registerUnchecked(device, mapped, Access.LOCAL_READ_WRITE)) {
                    assertThat(map.segment()).isEqualTo(mapped);
                }
            }
            MemorySegment buffer = MemorySegment.ofBuffer(
                    channel.map(FileChannel.MapMode.READ_WRITE, 0, 4096).asLongBuffer());
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Mmap.register(device, buffer, Access.LOCAL_READ_WRITE))
                    .withMessageStartingWith("This memory could be freed while a device uses it");
        }
    }

    /** A library that maps files itself, such as a database, may return segments that are not marked as read-only. */
    @Test
    @NeedsEmulator
    void registersMemoryOnlyWithTheAccessThatItsPagesAllow() throws IOException {
        Path file = Files.write(folder.resolve("mapped"), new byte[4096]);
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            MemorySegment readOnly = channel.map(FileChannel.MapMode.READ_ONLY, 0, 4096, arena);
            MemorySegment unmarked = NativeMemory.ofAddress(readOnly.address(), 4096);
            String address = "0x" + Long.toHexString(unmarked.address());
            try (Mmap map = Mmap.registerUnchecked(device, unmarked, Access.LOCAL_READ_ONLY)) {
                assertThat(map.segment().byteSize()).isEqualTo(4096);
            }
            assertThatExceptionOfType(DocaCallException.class)
                    .isThrownBy(() -> Mmap.registerUnchecked(device, unmarked, Access.LOCAL_READ_WRITE))
                    .withMessageStartingWith(
                            "Mapping 4096 bytes: doca_mmap_start failed with DOCA_ERROR_DRIVER (DOCA Driver"
                                    + " call failure): ")
                    .withMessageEndingWith("cannot register 4096 bytes at " + address + ": the memory at " + address
                            + " has the protection r--, and read and write access needs rw-")
                    .satisfies(failure -> assertThat(failure.isRetryable()).isFalse());
        }
    }

    @Test
    void registersMemoryThatLastsAsLongAsItIsReferredTo() {
        for (MemorySegment memory : new MemorySegment[] {
            Arena.global().allocate(64, 64),
            Arena.ofAuto().allocate(64, 64),
            Arena.ofAuto().allocate(128, 64).asSlice(64),
            MemorySegment.ofBuffer(
                    Arena.ofAuto().allocate(64, 64).asByteBuffer().asLongBuffer())
        }) {
            try (Mmap map = Mmap.register(device, memory, Access.LOCAL_READ_WRITE)) {
                assertThat(map.segment()).isEqualTo(memory);
            }
            memory.set(JAVA_BYTE, 0, (byte) 42);
            assertThat(memory.get(JAVA_BYTE, 0)).isEqualTo((byte) 42);
        }
    }

    @Test
    void letsItsMemoryGoWhenItIsClosed() {
        WeakReference<Scope> memory = mapAndForget(device, true);

        collect(memory);

        assertThat(memory.get()).isNull();
    }

    @Test
    void keepsItsMemoryWhenTheMapIsUnreachable() throws Exception {
        assertThat(new ChildJvm().option("-Ddoca.leak=off").run(Forgotten.class))
                .containsExactly("forgotten", "is kept: true");
    }

    /** Never closes the map. Runs in a separate process. */
    static final class Forgotten {

        public static void main(String[] arguments) {
            WeakReference<Scope> memory = mapAndForget(Device.open(DeviceFilter.any()), false);
            System.out.println("forgotten");
            collect(new WeakReference<>(Arena.ofAuto().scope()));
            System.gc();
            System.out.println("is kept: " + (memory.get() != null));
        }
    }

    /** Memory of an automatic arena is freed when nothing refers to its scope. */
    private static WeakReference<Scope> mapAndForget(Device device, boolean close) {
        MemorySegment memory = Arena.ofAuto().allocate(64, 64);
        Mmap map = Mmap.register(device, memory, Access.LOCAL_READ_WRITE);
        if (close) {
            map.close();
        }
        return new WeakReference<>(memory.scope());
    }

    private static void collect(WeakReference<Scope> scope) {
        for (int i = 0; i < 1000 && scope.get() != null; i++) {
            System.gc();
            Thread.onSpinWait();
        }
    }

    @Test
    void refusesToRegisterMemoryThatCanBeFreed() {
        String message = "This memory could be freed while a device uses it, as it is neither of the global nor of an"
                + " automatic arena: let the Mmap allocate its memory, or use registerUnchecked and keep the memory until the"
                + " Mmap is closed";
        try (Arena confined = Arena.ofConfined();
                Arena shared = Arena.ofShared()) {
            for (MemorySegment memory : new MemorySegment[] {
                confined.allocate(64, 64),
                shared.allocate(64, 64),
                shared.allocate(128, 64).asSlice(64),
                MemorySegment.ofBuffer(shared.allocate(64, 64).asByteBuffer()),
                MemorySegment.ofBuffer(confined.allocate(64, 64).asByteBuffer().slice(0, 32)),
                // An allocator of buffers may free these, as Netty does.
                MemorySegment.ofBuffer(ByteBuffer.allocateDirect(64)),
                MemorySegment.ofBuffer(
                        ByteBuffer.allocateDirect(128).slice(64, 64).asIntBuffer())
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
                try (Mmap map = Mmap.registerUnchecked(device, memory, Access.LOCAL_READ_WRITE);
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
                .isThrownBy(() -> Mmap.registerUnchecked(
                        device, MemorySegment.ofBuffer(ByteBuffer.allocate(64)), Access.LOCAL_READ_WRITE))
                .withMessage("Heap memory cannot be mapped: a device needs memory that does not move");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> Mmap.register(device, Arena.global().allocate(64).asReadOnly(), Access.LOCAL_READ_WRITE))
                .withMessage(
                        "A read-only segment cannot be mapped with access LOCAL_READ_WRITE, as devices could write to it: use"
                                + " LOCAL_READ_ONLY, PCI_READ_ONLY or RDMA_READ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Mmap.register(device, MemorySegment.NULL, Access.LOCAL_READ_WRITE))
                .withMessage("An Mmap has at least 1 byte, and not 0");
    }

    @Test
    void mapsReadOnlySegmentsForReading() {
        MemorySegment memory = Arena.ofAuto().allocate(64).fill((byte) 5).asReadOnly();
        for (Access access : List.of(
                Access.LOCAL_READ_ONLY,
                Access.PCI_READ_ONLY,
                Access.RDMA_READ,
                Access.RDMA_READ.plus(Access.PCI_READ_ONLY))) {
            try (Mmap map = Mmap.register(device, memory, access)) {
                assertThat(map.segment()).isEqualTo(memory);
                assertThat(map.segment().isReadOnly()).isTrue();
            }
        }
        for (Access access : List.of(
                Access.PCI_READ_WRITE,
                Access.LOCAL_READ_WRITE.plus(Access.RDMA_WRITE),
                Access.LOCAL_READ_WRITE.plus(Access.RDMA_ATOMIC))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Mmap.registerUnchecked(device, memory, access))
                    .withMessage("A read-only segment cannot be mapped with access " + access
                            + ", as devices could write to it: use LOCAL_READ_ONLY, PCI_READ_ONLY or RDMA_READ");
        }
    }

    @Test
    void refusesMemoryThatWasFreed() {
        MemorySegment memory;
        try (Arena arena = Arena.ofShared()) {
            memory = arena.allocate(64);
        }

        assertThatIllegalStateException()
                .isThrownBy(() -> Mmap.registerUnchecked(device, memory, Access.LOCAL_READ_WRITE))
                .withMessage("The memory to be mapped was freed");
    }

    @Test
    void refusesMemoryOfAnotherThread() throws InterruptedException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(64);

            assertThat(OtherThread.thrownBy(() -> Mmap.registerUnchecked(device, memory, Access.LOCAL_READ_WRITE)))
                    .isExactlyInstanceOf(IllegalStateException.class)
                    .hasMessage("The memory to be mapped is of the confined arena of another thread");
        }
    }

    @Test
    void refusesBuffersOnceItsMemoryWasFreed() {
        try (BufInventory inventory = BufInventory.create(2)) {
            Arena arena = Arena.ofShared();
            try (Mmap map = Mmap.registerUnchecked(device, arena.allocate(64, 64), Access.LOCAL_READ_WRITE)) {
                Buf early = inventory.data(map, 0, 64);
                arena.close();

                String message = "The memory of Mmap of 64 bytes" + PLACE + " was freed while it was mapped";
                assertThatIllegalStateException()
                        .isThrownBy(() -> inventory.data(map, 0, 64))
                        .withMessage(message);
                assertThatIllegalStateException()
                        .isThrownBy(() -> MmapImpl.state(map).checkAlive())
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
                    .withMessage("Mmap of 64 bytes" + PLACE
                            + " cannot be closed while 2 buffers of BufInventory of 2 point into it");
            second.close();
            assertThatIllegalStateException()
                    .isThrownBy(map::close)
                    .withMessage("Mmap of 64 bytes" + PLACE
                            + " cannot be closed while 1 buffer of BufInventory of 2 points into it");
            first.data().set(JAVA_LONG, 0, 42);
        }
        map.close();
    }

    @Test
    @NeedsEmulator
    void staysOpenWhenTheSdkRefusesToDestroyIt() throws Exception {
        List<String> said = new ChildJvm().run(DestroyedTwice.class);

        assertThat(said.get(0))
                .matches("Closing Mmap of 64 bytes on 0000:03:00\\.0 \\(mlx5_0\\): doca_mmap_destroy failed with"
                        + " DOCA_ERROR_INVALID_VALUE \\(Invalid input\\): .*0x[0-9a-f]+.*");
        assertThat(said.subList(1, said.size()))
                .containsExactly(
                        "held and released",
                        "42",
                        "Device 0000:03:00.0 (mlx5_0) cannot be closed while in use by: Mmap of 64 bytes on"
                                + " 0000:03:00.0 (mlx5_0)");
    }

    /** Destroys the native map without the Java object, which cannot be closed afterwards. Runs in a separate process. */
    static final class DestroyedTwice {

        public static void main(String[] arguments) {
            Device device = Device.open(DeviceFilter.any());
            Mmap map = Mmap.allocate(device, 64, Access.LOCAL_READ_WRITE);
            new NativeMap(MmapImpl.state(map).pointer()).destroy();
            try {
                map.close();
            } catch (DocaCallException e) {
                System.out.println(e.getMessage());
            }
            MmapImpl.state(map).hold();
            MmapImpl.state(map).release();
            System.out.println("held and released");
            map.segment().set(JAVA_LONG, 0, 42);
            System.out.println(map.segment().get(JAVA_LONG, 0));
            try {
                device.close();
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    @Test
    void freesItsMemoryLaterWhenItIsInUse() throws Exception {
        Pipe pipe = Pipe.open();
        Mmap map = Mmap.allocate(device, 64, Access.PCI_READ_WRITE);
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
        assertThatIllegalStateException()
                .isThrownBy(() -> map.exportPci(device))
                .withMessage("Mmap of 64 bytes" + PLACE + " is closed");

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
