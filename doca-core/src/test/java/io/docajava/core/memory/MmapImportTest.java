/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.internal.memory.MmapImpl;
import io.docajava.core.internal.memory.Rights;
import io.docajava.core.testing.ChildJvm;
import io.docajava.core.testing.OpenHandles;
import io.docajava.core.testing.PeerJvm;
import io.docajava.emulator.EmulatorEnvironment;
import io.docajava.ffi.NativeEmulator;
import io.docajava.testing.NeedsEmulator;
import java.io.IOException;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests importing memory of a host process on the DPU. The tests of doca-dma cover copying it. */
@ExtendWith(OpenHandles.class)
@Timeout(600)
class MmapImportTest {

    private static final String PLACE = " imported on 0000:03:00.0 (mlx5_0)";
    private static final int PCI_READ_ONLY = 16;
    private static final int PCI_READ_WRITE = 32;

    private static PeerJvm host;

    private Device device;

    @BeforeAll
    static void start() throws IOException {
        host = new PeerJvm(new ChildJvm().environment(EmulatorEnvironment.ROLE, "host"), HostPeer.class);
    }

    @AfterAll
    static void end() throws IOException {
        host.close();
    }

    @BeforeEach
    void open() {
        device = Device.open(DeviceFilter.ibDevice("mlx5_0"));
    }

    @AfterEach
    void close() {
        device.close();
    }

    private static MmapExport export(int bytes, int access) throws IOException {
        return MmapExport.parse(Base64.getDecoder().decode(host.ask("export " + bytes + " " + access)));
    }

    private static void endExport() throws IOException {
        assertThat(host.ask("close")).isEqualTo("closed");
    }

    @Test
    void isMemoryOfAnotherProcess() throws IOException {
        MmapExport export = export(5000, PCI_READ_ONLY);
        assertThat(export.length()).isEqualTo(5000);
        assertThat(export.address() % 4096).isZero();
        assertThat(export.access()).contains(Access.PCI_READ_ONLY);
        assertThat(export.descriptor()).hasSizeLessThanOrEqualTo(512);

        try (Mmap map = Mmap.fromExport(device, export)) {
            assertThat(map.isImported()).isTrue();
            assertThat(map.byteSize()).isEqualTo(5000);
            assertThat(map.access()).isEqualTo(Access.PCI_READ_ONLY);
            assertThat(map.devices()).containsExactly(device);
            assertThat(map).hasToString("Mmap of 5000 bytes" + PLACE);
            assertThat(MmapImpl.state(map).base()).isEqualTo(export.address());
            assertThat(MmapImpl.state(map).isWritable()).isFalse();
            assertThat(MmapImpl.state(map).grants().missingToWrite()).isEqualTo("PCI_READ_WRITE");
            assertThatIllegalStateException()
                    .isThrownBy(map::segment)
                    .withMessage(
                            "Mmap of 5000 bytes" + PLACE + " has no segment: it is memory of another process, which"
                                    + " only a device reaches; copy it");
            assertThatIllegalStateException()
                    .isThrownBy(() -> map.exportPci(device))
                    .withMessage("Mmap of 5000 bytes" + PLACE
                            + " cannot be exported: the memory belongs to another process");
            assertThatIllegalStateException()
                    .isThrownBy(device::close)
                    .withMessage("Device 0000:03:00.0 (mlx5_0) cannot be closed while in use by: " + map);
        }
        endExport();
    }

    @Test
    void mayBeWrittenWhereTheExportDoesNotSayOtherwise() throws IOException {
        MmapExport export = export(64, PCI_READ_WRITE);
        MmapExport untold = MmapExport.of(export.descriptor(), export.address(), export.length());

        try (Mmap map = Mmap.fromExport(device, export);
                Mmap other = Mmap.fromExport(device, untold)) {
            assertThat(map.access()).isEqualTo(Access.PCI_READ_WRITE);
            assertThat(other.access())
                    .isEqualTo(Access.PCI_READ_WRITE
                            .plus(Access.RDMA_READ)
                            .plus(Access.RDMA_WRITE)
                            .plus(Access.RDMA_ATOMIC));
            assertThat(MmapImpl.state(map).isWritable()).isTrue();
            assertThat(MmapImpl.state(other).grants().missingToWrite()).isNull();
            assertThat(MmapImpl.state(map).sharesAddressesWith(MmapImpl.state(other)))
                    .isTrue();
        }
        endExport();
    }

    @Test
    void hasBuffersAtOffsets() throws IOException {
        try (BufInventory inventory = BufInventory.create(2);
                Mmap map = Mmap.fromExport(device, export(4096, PCI_READ_WRITE))) {
            Buf data = inventory.data(map, 100, 50);
            Buf space = inventory.space(map, 0, 4096);

            assertThat(data.offset()).isEqualTo(100);
            assertThat(data.dataLength()).isEqualTo(50);
            assertThat(space.remaining()).isEqualTo(4096);
            assertThat(data.memory()).isSameAs(map);
            assertThatIllegalStateException()
                    .isThrownBy(data::data)
                    .withMessage(
                            "Mmap of 4096 bytes" + PLACE + " has no segment: it is memory of another process, which"
                                    + " only a device reaches; copy it");
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> inventory.data(map, 4000, 97))
                    .withMessage("A buffer of 97 bytes at 4000 is not inside of Mmap of 4096 bytes" + PLACE);
            assertThatIllegalStateException()
                    .isThrownBy(map::close)
                    .withMessage("Mmap of 4096 bytes" + PLACE
                            + " cannot be closed while 2 buffers of BufInventory of 2 point into it");
            data.close();
            space.close();
        }
        endExport();
    }

    @Test
    void canBeAPartOfTheMemory() throws IOException {
        MmapExport all = export(4096, PCI_READ_WRITE);
        MmapExport part = MmapExport.of(all.descriptor(), all.address() + 4000, 96);

        try (BufInventory inventory = BufInventory.create(1);
                Mmap map = Mmap.fromExport(device, part)) {
            assertThat(map.byteSize()).isEqualTo(96);
            assertThat(MmapImpl.state(map).base()).isEqualTo(all.address() + 4000);
            inventory.data(map, 0, 96).close();
        }
        endExport();
    }

    @Test
    @NeedsEmulator
    void isAllOfTheMemoryOfADescriptor() throws IOException {
        MmapExport export = export(5000, PCI_READ_WRITE);

        try (Mmap map = Mmap.fromDescriptor(device, export.descriptor());
                Mmap same = Mmap.fromExport(device, export)) {
            assertThat(map.isImported()).isTrue();
            assertThat(map.byteSize()).isEqualTo(5000);
            assertThat(MmapImpl.state(map).base()).isEqualTo(export.address());
            assertThat(map.access()).isEqualTo(Rights.ANY_EXPORT);
            assertThat(MmapImpl.state(map).sharesAddressesWith(MmapImpl.state(same)))
                    .isTrue();
            assertThat(map).hasToString("Mmap of a descriptor" + PLACE);
        }
        endExport();
        assertThatExceptionOfType(DocaCallException.class)
                .isThrownBy(() -> Mmap.fromDescriptor(device, export.descriptor()))
                .withMessageMatching("Importing Mmap of a descriptor .*: the export has ended: .*");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Mmap.fromDescriptor(device, new byte[0]))
                .withMessage("The descriptor of an export has 1 to 65536 bytes, and not 0");
    }

    @Test
    void refusesARangeThatIsNotOfTheMemory() throws IOException {
        MmapExport export = export(4096, PCI_READ_WRITE);
        for (MmapExport wrong : new MmapExport[] {
            MmapExport.of(export.descriptor(), export.address(), 4097),
            MmapExport.of(export.descriptor(), export.address() + 1, 4096),
            MmapExport.of(export.descriptor(), export.address() - 1, 10),
            MmapExport.of(export.descriptor(), -4096, 10),
            MmapExport.of(export.descriptor(), 0, Long.MAX_VALUE)
        }) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Mmap.fromExport(device, wrong))
                    .withMessage(wrong + " is not inside of the memory of its descriptor: 4096 bytes at 0x"
                            + Long.toHexString(export.address()));
        }
        endExport();
    }

    @Test
    @NeedsEmulator
    void saysWhyADescriptorIsRefused() throws IOException {
        MmapExport export = export(64, PCI_READ_WRITE);
        byte[] altered = export.descriptor();
        altered[20] ^= 1;

        assertRefused(altered, export, DocaError.INVALID_VALUE, "the descriptor was altered: its checksum is wrong");
        assertRefused(new byte[65536], export, DocaError.INVALID_VALUE, ".* are no export descriptor of the emulator");
        endExport();
        assertRefused(export.descriptor(), export, DocaError.DRIVER, "the export has ended: .*");
    }

    private void assertRefused(byte[] descriptor, MmapExport export, DocaError error, String reason) {
        assertThatExceptionOfType(DocaCallException.class)
                .isThrownBy(() -> Mmap.fromExport(device, MmapExport.of(descriptor, export.address(), export.length())))
                .withMessageMatching("Importing Mmap of 64 bytes imported on 0000:03:00.0 \\(mlx5_0\\):"
                        + " doca_mmap_create_from_export failed with DOCA_ERROR_" + error.name() + " \\(.*\\):"
                        + " Failed to import memory: " + reason)
                .satisfies(e -> assertThat(e.error()).isEqualTo(error));
    }

    @Test
    void needsADeviceThatIsOpen() throws IOException {
        Device closed = Device.open(DeviceFilter.any());
        closed.close();
        MmapExport export = MmapExport.of(new byte[] {1}, 4096, 64);

        assertThatIllegalStateException()
                .isThrownBy(() -> Mmap.fromExport(closed, export))
                .withMessage("Device 0000:03:00.0 (mlx5_0) is closed");
    }

    @Test
    void isNotUsableAfterClose() throws IOException {
        Mmap map = Mmap.fromExport(device, export(64, PCI_READ_WRITE));
        map.close();
        map.close();

        try (BufInventory inventory = BufInventory.create(1)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> inventory.data(map, 0, 64))
                    .withMessage("Mmap of 64 bytes" + PLACE + " is closed");
        }
        endExport();
    }

    @Test
    @NeedsEmulator
    void comesAndGoesWithoutATrace() throws IOException {
        MmapExport export = export(64, PCI_READ_ONLY);
        long before = NativeEmulator.numObjects();
        for (int i = 0; i < 1000; i++) {
            Mmap.fromExport(device, export).close();
        }
        assertThat(NativeEmulator.numObjects()).isEqualTo(before);
        endExport();
    }
}
