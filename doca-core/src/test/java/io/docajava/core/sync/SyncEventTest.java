/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.testing.OpenHandles;
import io.docajava.core.testing.Requirements;
import io.docajava.ffi.NativeEmulator;
import io.docajava.ffi.internal.NativeMemory;
import io.docajava.testing.Await;
import io.docajava.testing.NeedsEmulator;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests sync events within one process. */
@ExtendWith(OpenHandles.class)
@Timeout(600)
class SyncEventTest {

    private static final String EVENT = "SyncEvent on 0000:03:00.0 (mlx5_0)";

    private Device device;

    @BeforeEach
    void open() {
        device = Device.open(DeviceFilter.ibDevice("mlx5_0"));
    }

    @AfterEach
    void close() {
        device.close();
    }

    private SyncEventBuilder local() {
        return SyncEvent.builder(device).publisher(SyncLocation.CPU).subscriber(SyncLocation.CPU);
    }

    @Test
    void isReadSetAndAddedTo() {
        try (SyncEvent event = local().start()) {
            assertThat(event.get()).isZero();
            event.set(5);
            assertThat(event.get()).isEqualTo(5);
            assertThat(event.add(3)).isEqualTo(5);
            assertThat(event.add(-10)).isEqualTo(8);
            assertThat(event.get()).isEqualTo(-2);
            event.set(-1);
            assertThat(event.add(1)).isEqualTo(-1);
            assertThat(event.get()).isZero();
            event.set(Long.MIN_VALUE);
            assertThat(event.get()).isEqualTo(Long.MIN_VALUE);
            assertThat(event.device()).isSameAs(device);
            assertThat(event).hasToString(EVENT);
        }
    }

    @Test
    void hasItsValueInMemoryOfTheUser() {
        MemorySegment memory = Arena.ofAuto().allocate(JAVA_LONG);
        memory.set(JAVA_LONG, 0, 40);
        try (SyncEvent event = local().memory(memory).start()) {
            assertThat(event.add(2)).isEqualTo(40);
            assertThat(memory.get(JAVA_LONG, 0)).isEqualTo(42);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment own = arena.allocate(JAVA_LONG);
            try (SyncEvent event = local().memoryUnchecked(own).start()) {
                event.set(7);
                assertThat(own.get(JAVA_LONG, 0)).isEqualTo(7);
            }
        }
    }

    @Test
    void refusesMemoryThatCouldBeFreed(@TempDir Path folder) throws IOException {
        try (Arena arena = Arena.ofShared()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> local().memory(arena.allocate(JAVA_LONG)))
                    .withMessage(
                            "This memory could be freed while it holds a sync event, as it is neither of the global nor of"
                                    + " an automatic arena: let the event have its own memory, or use memoryUnchecked and keep"
                                    + " the memory until the event is closed");
        }
        try (FileChannel file = FileChannel.open(
                folder.resolve("file"), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, 8, Arena.ofAuto());
            for (MemorySegment memory : new MemorySegment[] {
                mapped, MemorySegment.ofBuffer(mapped.asByteBuffer().asLongBuffer())
            }) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> local().memory(memory))
                        .withMessage(
                                "This memory is of a mapped file, and is lost if the file is truncated: use memoryUnchecked and"
                                        + " keep the file as it is until the event is closed");
            }
        }
    }

    @Test
    void refusesMemoryThatIsNotRight() throws InterruptedException {
        MemorySegment memory = Arena.global().allocate(32, 16);
        assertRefused(
                MemorySegment.ofArray(new long[1]),
                "Heap memory cannot hold a sync event: that needs memory that" + " does not move");
        assertRefused(memory.asSlice(0, 8).asReadOnly(), "A read-only segment cannot hold a sync event");
        assertRefused(NativeMemory.ofAddress(0, 8), "The NULL address cannot hold a sync event");
        assertRefused(memory.asSlice(0, 7), "The memory of a sync event has 8 bytes, and not 7");
        assertRefused(memory.asSlice(0, 16), "The memory of a sync event has 8 bytes, and not 16");
        assertRefused(
                memory.asSlice(4, 8),
                "The memory of a sync event begins at an address divisible by 8, and not at 0x"
                        + Long.toHexString(memory.address() + 4));
        Arena closed = Arena.ofConfined();
        MemorySegment freed = closed.allocate(JAVA_LONG);
        closed.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> local().memoryUnchecked(freed))
                .withMessage("The memory for a sync event was freed");
        AtomicReference<MemorySegment> foreign = new AtomicReference<>();
        Thread other = new Thread(() -> foreign.set(Arena.ofConfined().allocate(JAVA_LONG)));
        other.start();
        other.join();
        assertThatIllegalStateException()
                .isThrownBy(() -> local().memoryUnchecked(foreign.get()))
                .withMessage("The memory for a sync event is of the confined arena of another thread");
    }

    private void assertRefused(MemorySegment memory, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> local().memory(memory))
                .withMessage(message);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> local().memoryUnchecked(memory))
                .withMessage(message);
    }

    @Test
    void refusesToUseMemoryThatWasFreedAgainstThePromise() {
        Arena arena = Arena.ofShared();
        MemorySegment memory = arena.allocate(JAVA_LONG);
        SyncEventBuilder builder = local().memoryUnchecked(memory);
        try (SyncEvent event = builder.start()) {
            arena.close();
            String message = "The memory of " + EVENT + " was freed while it held the event";
            assertThatIllegalStateException().isThrownBy(event::get).withMessage(message);
            assertThatIllegalStateException().isThrownBy(() -> event.set(1)).withMessage(message);
            assertThatIllegalStateException().isThrownBy(() -> event.add(1)).withMessage(message);
            assertThatIllegalStateException()
                    .isThrownBy(() -> event.newWait().untilEqual(1))
                    .withMessage(message);
            assertThatIllegalStateException().isThrownBy(builder::start).withMessage(message);
        }
    }

    @Test
    void needsAPublisherAndASubscriber() {
        SyncEventBuilder builder = SyncEvent.builder(device);
        assertThatIllegalStateException()
                .isThrownBy(builder::start)
                .withMessage("A sync event needs a publisher: add one by publisher(...)");
        builder.publisher(SyncLocation.CPU);
        assertThatIllegalStateException()
                .isThrownBy(builder::start)
                .withMessage("A sync event needs a subscriber: add one by subscriber(...)");
        assertThatIllegalStateException()
                .isThrownBy(builder::tasks)
                .withMessage("A sync event needs a subscriber: add one by subscriber(...)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.subscriber(SyncLocation.REMOTE_NET))
                .withMessage("REMOTE_NET cannot be a subscriber of a sync event: it can be a publisher");
    }

    @ParameterizedTest
    @EnumSource(names = {"DPA", "GPU"})
    void saysWhyThereAreNoAccelerators(SyncLocation location) {
        String library = location == SyncLocation.DPA ? "DPA" : "GPUNetIO";
        String message = "A " + location + " cannot be a location of a sync event: that takes a " + location
                + " context of the DOCA " + library + " library, which doca-java has no access to";
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> local().publisher(location))
                .withMessage(message);
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> local().subscriber(location))
                .withMessage(message);
    }

    @Test
    void isNotUsableAfterClose() {
        SyncEvent event = local().start();
        assertThatIllegalStateException()
                .isThrownBy(device::close)
                .withMessage("Device 0000:03:00.0 (mlx5_0) cannot be closed while in use by: " + EVENT);
        event.close();
        event.close();
        String message = EVENT + " is closed";
        assertThatIllegalStateException().isThrownBy(event::get).withMessage(message);
        assertThatIllegalStateException().isThrownBy(() -> event.set(1)).withMessage(message);
        assertThatIllegalStateException().isThrownBy(() -> event.add(1)).withMessage(message);
        assertThatIllegalStateException()
                .isThrownBy(() -> event.exportPci(device))
                .withMessage(message);
        assertThatIllegalStateException().isThrownBy(event::exportRdma).withMessage(message);
        assertThatIllegalStateException()
                .isThrownBy(() -> event.newWait().untilEqual(0))
                .withMessage(message);
    }

    @Test
    void needsADeviceThatIsOpen() {
        Device closed = Device.open(DeviceFilter.any());
        closed.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> SyncEvent.builder(closed)
                        .publisher(SyncLocation.CPU)
                        .subscriber(SyncLocation.CPU)
                        .start())
                .withMessage("Device 0000:03:00.0 (mlx5_0) is closed");
    }

    @Test
    void saysWhereItCannotBeExported() {
        Requirements.function("doca_sync_event_add_publisher_location_remote_pci");
        try (SyncEvent event = local().start();
                Device other = Device.open(DeviceFilter.ibDevice("mlx5_1"));
                SyncEvent shared = local().publisher(SyncLocation.REMOTE_PCI).start()) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> event.exportPci(device))
                    .withMessage(EVENT + " cannot be exported: REMOTE_PCI is none of its locations, which are [CPU] to"
                            + " publish and [CPU] to subscribe");
            assertThatIllegalStateException()
                    .isThrownBy(shared::exportRdma)
                    .withMessage(EVENT + " cannot be exported: REMOTE_NET is none of its locations, which are [CPU,"
                            + " REMOTE_PCI] to publish and [CPU] to subscribe");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> shared.exportPci(other))
                    .withMessage(EVENT + " cannot be exported by 0000:03:00.1 (mlx5_1), which is not its device");
        }
    }

    @Test
    void countsWhatManyThreadsAdd() throws InterruptedException {
        int threads = 4;
        int additions = 20_000;
        try (SyncEvent event = local().start()) {
            List<Thread> adding = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                adding.add(Thread.startVirtualThread(() -> {
                    for (int n = 0; n < additions; n++) {
                        event.add(1);
                    }
                }));
            }
            for (Thread thread : adding) {
                thread.join();
            }
            assertThat(event.get()).isEqualTo((long) threads * additions);
        }
    }

    @Test
    void isClosedWhileOthersUseIt() throws InterruptedException {
        for (int i = 0; i < 50; i++) {
            SyncEvent event = local().start();
            AtomicReference<Throwable> end = new AtomicReference<>();
            Thread user = new Thread(() -> {
                try {
                    while (true) {
                        event.add(1);
                    }
                } catch (IllegalStateException e) {
                    end.set(e);
                }
            });
            user.start();
            while (event.get() < 10) {
                Thread.onSpinWait();
            }
            event.close();
            assertThat(user.join(Await.LIMIT)).isTrue();
            assertThat(end.get()).hasMessageMatching("SyncEvent on .* is (being )?closed");
        }
    }

    @Test
    @NeedsEmulator
    void comesAndGoesWithoutATrace() {
        long before = NativeEmulator.numObjects();
        for (int i = 0; i < 500; i++) {
            local().start().close();
        }
        assertThat(NativeEmulator.numObjects()).isEqualTo(before);
    }
}
