/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.internal.memory.MmapImpl;
import io.docajava.core.testing.OpenHandles;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests memory for RDMA peers. The tests of doca-rdma cover reading and writing it. */
@ExtendWith(OpenHandles.class)
class MmapExportRdmaTest {

    private static final Access ALL = Access.LOCAL_READ_WRITE
            .plus(Access.RDMA_READ)
            .plus(Access.RDMA_WRITE)
            .plus(Access.RDMA_ATOMIC)
            .plus(Access.PCI_READ_ONLY);

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
    void describesItsMap() {
        try (Mmap memory = Mmap.allocate(device, 5000, ALL)) {
            MmapExport export = memory.exportRdma(device);

            assertThat(export.address()).isEqualTo(memory.segment().address());
            assertThat(export.length()).isEqualTo(5000);
            assertThat(export.access())
                    .contains(Access.RDMA_READ.plus(Access.RDMA_WRITE).plus(Access.RDMA_ATOMIC));
            assertThat(memory.exportRdma(device)).isEqualTo(export);
            assertThat(MmapExport.parse(export.toBytes())).isEqualTo(export);
        }
    }

    @Test
    void isImportedWithWhatItGrants() {
        try (Mmap memory = Mmap.allocate(device, 4096, Access.RDMA_READ);
                Mmap map = Mmap.fromExport(peer, memory.exportRdma(device))) {
            assertThat(map.isImported()).isTrue();
            assertThat(map.byteSize()).isEqualTo(4096);
            assertThat(map.access()).isEqualTo(Access.RDMA_READ);
            assertThat(MmapImpl.state(map).grants().missingToRead()).isEqualTo("PCI_READ_ONLY");
            assertThat(MmapImpl.state(map).grants().missingToWrite()).isEqualTo("PCI_READ_WRITE");
            assertThat(MmapImpl.state(map).grants().missingForRdmaReads()).isNull();
            assertThat(MmapImpl.state(map).grants().missingForRdmaWrites()).isEqualTo("RDMA_WRITE");
            assertThat(MmapImpl.state(map).grants().missingForRdmaAtomics()).isEqualTo("RDMA_ATOMIC");
            assertThatIllegalStateException()
                    .isThrownBy(() -> map.exportRdma(peer))
                    .withMessage(map + " cannot be exported: the memory belongs to another process");
        }
    }

    @Test
    void isImportedByItsDescriptorAlone() {
        try (Mmap memory = Mmap.allocate(device, 4096, Access.LOCAL_READ_WRITE.plus(Access.RDMA_WRITE));
                Mmap map = Mmap.fromDescriptor(peer, memory.exportRdma(device).descriptor())) {
            assertThat(map.byteSize()).isEqualTo(4096);
            assertThat(MmapImpl.state(map).base()).isEqualTo(memory.segment().address());
            assertThat(MmapImpl.state(map).grants().missingForRdmaReads()).isNull();
            assertThat(MmapImpl.state(map).grants().missingForRdmaAtomics()).isNull();
        }
    }

    @Test
    void isRefusedWithoutAPermissionForPeers() {
        Access local = Access.LOCAL_READ_WRITE.plus(Access.PCI_READ_WRITE);
        try (Mmap memory = Mmap.allocate(device, 64, local)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> memory.exportRdma(device))
                    .withMessage("Mmap of 64 bytes on 0000:03:00.0 (mlx5_0) cannot be exported: its access is"
                            + " LOCAL_READ_WRITE|PCI_READ_WRITE, and it needs RDMA_READ, RDMA_WRITE or RDMA_ATOMIC");
        }
    }

    @Test
    void isRefusedForAnotherDeviceAndAfterClose() {
        Mmap memory = Mmap.allocate(device, 64, Access.LOCAL_READ_WRITE.plus(Access.RDMA_ATOMIC));
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
