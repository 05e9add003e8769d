/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.internal.device.DeviceImpl;
import io.docajava.core.internal.memory.MmapImpl;
import io.docajava.core.testing.OpenHandles;
import io.docajava.testing.NeedsEmulator;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(OpenHandles.class)
class MmapBuilderTest {

    private Device first;
    private Device second;

    @BeforeEach
    void open() {
        first = Device.open(DeviceFilter.ibDevice("mlx5_0"));
        second = Device.open(DeviceFilter.ibDevice("mlx5_1"));
    }

    @AfterEach
    void close() {
        second.close();
        first.close();
    }

    @Test
    @NeedsEmulator
    void mapsForSeveralDevices() {
        try (Device third = Device.open(DeviceFilter.ibDevice("mlx5_2"));
                Device other = Device.open(DeviceFilter.ibDevice("mlx5_3"));
                Mmap map = Mmap.builder()
                        .device(first)
                        .device(second)
                        .device(third)
                        .allocate(64)) {
            assertThat(map.devices()).containsExactly(first, second, third);
            assertThat(map)
                    .hasToString(
                            "Mmap of 64 bytes on 0000:03:00.0 (mlx5_0), 0000:03:00.1 (mlx5_1), 0000:03:00.0 (mlx5_2)");
            for (Device device : map.devices()) {
                assertThat(MmapImpl.state(map).isRegisteredWith(DeviceImpl.address(device)))
                        .as("%s", device)
                        .isTrue();
                assertThatIllegalStateException()
                        .isThrownBy(device::close)
                        .withMessage(device + " cannot be closed while in use by: " + map);
            }
            assertThat(MmapImpl.state(map).isRegisteredWith(DeviceImpl.address(other)))
                    .isFalse();
        }
    }

    @Test
    void makesMapsAsOftenAsItIsAsked() {
        MmapBuilder builder = Mmap.builder().device(first);
        try (Mmap one = builder.allocate(64);
                Mmap two = builder.device(second).access(Access.PCI_READ_ONLY).allocate(128)) {
            assertThat(one.access()).isEqualTo(Access.LOCAL_READ_WRITE);
            assertThat(one.devices()).containsExactly(first);
            assertThat(two.access()).isEqualTo(Access.PCI_READ_ONLY);
            assertThat(two.devices()).containsExactly(first, second);
        }
    }

    @Test
    void refusesADeviceThatItHas() {
        try (Device again = Device.open(first.info())) {
            MmapBuilder builder = Mmap.builder().device(first).device(second);

            for (Device device : new Device[] {first, again}) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> builder.device(device))
                        .withMessage(
                                "Device 0000:03:00.0 (mlx5_0) was added to the Mmap before: a device is added to an"
                                        + " Mmap once");
            }
        }
    }

    @Test
    void needsADeviceThatIsOpen() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Mmap.builder().allocate(64))
                .withMessage("An Mmap needs a device: add one by device(...)");
        assertThatIllegalStateException()
                .isThrownBy(() -> Mmap.builder().register(Arena.global().allocate(64)))
                .withMessage("An Mmap needs a device: add one by device(...)");
        Device closed = Device.open(DeviceFilter.any());
        MmapBuilder builder = Mmap.builder().device(closed);
        closed.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> builder.allocate(64))
                .withMessage("Device 0000:03:00.0 (mlx5_0) is closed");
        assertThatIllegalStateException()
                .isThrownBy(() -> Mmap.builder().device(closed))
                .withMessage("Device 0000:03:00.0 (mlx5_0) is closed");
    }

    @Test
    void registersMemoryAsItIs() {
        MmapBuilder builder = Mmap.builder().device(first).hugePages(HugePageSize.MIB_2);

        assertThatIllegalStateException()
                .isThrownBy(() -> builder.register(Arena.global().allocate(64)))
                .withMessage(
                        "Huge pages are for memory that the Mmap allocates: memory that is registered is as it is");
    }
}
