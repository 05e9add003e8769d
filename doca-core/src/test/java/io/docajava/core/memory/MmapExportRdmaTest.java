/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.testing.OpenHandles;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Memory for RDMA peers. That its bytes are read and written is tested with doca-rdma. */
@ExtendWith(OpenHandles.class)
class MmapExportRdmaTest {

    private Device device;
    private Device peer;

    @BeforeEach
    void open() {
        device = Device.open(DeviceFilter.ibDevice("mlx5_0"));
        peer = Device.open(DeviceFilter.ibDevice("mlx5_1"));
    }

    @AfterEach
    void close() {
        peer.close();
        device.close();
    }

    @Test
    void isRefusedWithoutAPermissionForPeers() {
        Access local = Access.LOCAL_READ_WRITE.and(Access.PCI_READ_WRITE);
        try (Mmap memory = Mmap.allocate(device, 64, local)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> memory.exportRdma(device))
                    .withMessage("Mmap of 64 bytes on 0000:03:00.0 (mlx5_0) cannot be exported: its access is"
                            + " LOCAL_READ_WRITE|PCI_READ_WRITE, and it needs RDMA_READ, RDMA_WRITE or RDMA_ATOMIC");
        }
    }

    @Test
    void isRefusedForAnotherDeviceAndAfterClose() {
        Mmap memory = Mmap.allocate(device, 64, Access.RDMA_ATOMIC);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> memory.exportRdma(peer))
                .withMessage("Mmap of 64 bytes on 0000:03:00.0 (mlx5_0) cannot be exported to 0000:03:00.1 (mlx5_1),"
                        + " which is none of its devices");
        memory.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> memory.exportRdma(device))
                .withMessage("Mmap of 64 bytes on 0000:03:00.0 (mlx5_0) is closed");
    }
}
