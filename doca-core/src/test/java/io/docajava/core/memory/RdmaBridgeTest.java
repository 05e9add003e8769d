/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.testing.Requirements;
import io.docajava.testing.NeedsEmulator;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

class RdmaBridgeTest {

    @Test
    void givesEachMapAndDeviceAnotherKey() {
        Requirements.function("doca_mmap_get_mkey");
        try (Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
                Device other = Device.open(DeviceFilter.pciAddress("03:00.1"));
                Mmap first = Mmap.allocate(device, 4096, Access.LOCAL_READ_WRITE);
                Mmap second = Mmap.allocate(device, 4096, Access.LOCAL_READ_WRITE);
                BufInventory buffers = BufInventory.create(4)) {
            Buf buffer = buffers.data(first, 0, 64);
            Buf neighbour = buffers.data(first, 64, 64);
            Buf elsewhere = buffers.data(second, 0, 64);
            assertThat(RdmaBridge.mkey(buffer, device))
                    .isNotZero()
                    .isEqualTo(RdmaBridge.mkey(neighbour, device))
                    .isEqualTo(RdmaBridge.mkey(first, device))
                    .isNotEqualTo(RdmaBridge.mkey(elsewhere, device));
            assertThat(RdmaBridge.mkey(second, device)).isEqualTo(RdmaBridge.mkey(elsewhere, device));
            assertThatThrownBy(() -> RdmaBridge.mkey(buffer, other))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("The buffer is in Mmap of 4096 bytes on 0000:03:00.0 (mlx5_0), which is not registered"
                            + " with 0000:03:00.1 (mlx5_1)");
            buffer.close();
            assertThatThrownBy(() -> RdmaBridge.mkey(buffer, device))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("cannot be used: it was returned to");
        }
    }

    @Test
    void refusesMapsWithoutAKey() {
        Device other = Device.open(DeviceFilter.pciAddress("03:00.1"));
        try (Device device = Device.open(DeviceFilter.pciAddress("03:00.0"))) {
            Mmap map = Mmap.allocate(device, 4096, Access.LOCAL_READ_WRITE);
            assertThatThrownBy(() -> RdmaBridge.mkey(map, other))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "Mmap of 4096 bytes on 0000:03:00.0 (mlx5_0) is not registered with 0000:03:00.1 (mlx5_1)");
            other.close();
            assertThatThrownBy(() -> RdmaBridge.mkey(map, other))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("Device 0000:03:00.1 (mlx5_1) is closed");
            map.close();
            assertThatThrownBy(() -> RdmaBridge.mkey(map, device))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("Mmap of 4096 bytes on 0000:03:00.0 (mlx5_0) is closed");
            Arena arena = Arena.ofShared();
            try (Mmap freed = Mmap.registerUnchecked(device, arena.allocate(64, 64), Access.LOCAL_READ_WRITE)) {
                arena.close();
                assertThatThrownBy(() -> RdmaBridge.mkey(freed, device))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage(
                                "The memory of Mmap of 64 bytes on 0000:03:00.0 (mlx5_0) was freed while it was mapped");
            }
        }
    }

    @Test
    @NeedsEmulator
    void hasNoProtectionDomainWithoutVerbs() {
        Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
        assertThatThrownBy(() -> RdmaBridge.protectionDomain(device))
                .isInstanceOfSatisfying(
                        DocaCallException.class,
                        failure -> assertThat(failure.error()).isEqualTo(DocaError.NOT_SUPPORTED))
                .hasMessageStartingWith(
                        "Reading the protection domain of 0000:03:00.0 (mlx5_0):"
                                + " doca_rdma_bridge_get_dev_pd failed with DOCA_ERROR_NOT_SUPPORTED (Operation not supported): ")
                .hasMessageEndingWith("Failed to get a PD: the emulator has no verbs, and so no protection domains");
        device.close();
        assertThatThrownBy(() -> RdmaBridge.protectionDomain(device))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Device 0000:03:00.0 (mlx5_0) is closed");
    }
}
