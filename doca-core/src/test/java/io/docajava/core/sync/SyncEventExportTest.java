/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.sync.SyncEventExport.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the formats of exports. */
class SyncEventExportTest {

    private static final byte[] DESCRIPTOR = {1, 2, 3, 4, 5};
    private static final SyncEventExport EXPORT = SyncEventExport.of(Kind.RDMA, DESCRIPTOR);

    @Test
    void isAValue() {
        assertThat(EXPORT.kind()).isEqualTo(Kind.RDMA);
        assertThat(EXPORT.descriptor()).isEqualTo(DESCRIPTOR).isNotSameAs(EXPORT.descriptor());
        assertThat(EXPORT)
                .isEqualTo(SyncEventExport.of(Kind.RDMA, DESCRIPTOR.clone()))
                .hasSameHashCodeAs(SyncEventExport.of(Kind.RDMA, DESCRIPTOR.clone()))
                .isNotEqualTo(SyncEventExport.of(Kind.PCI, DESCRIPTOR))
                .isNotEqualTo(SyncEventExport.of(Kind.RDMA, new byte[5]))
                .hasToString("Export of a sync event for RDMA, descriptor of 5 bytes");
    }

    @Test
    void hasADescriptorOfSomeLength() {
        for (int length : new int[] {0, 65537}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> SyncEventExport.of(Kind.PCI, new byte[length]))
                    .withMessage("The descriptor of a sync event has 1 to 65536 bytes, and not " + length);
        }
    }

    @Test
    void travelsAsBytes() {
        for (Kind kind : Kind.values()) {
            SyncEventExport export = SyncEventExport.of(kind, DESCRIPTOR);
            assertThat(export.toBytes()).hasSize(25);
            assertThat(SyncEventExport.parse(export.toBytes())).isEqualTo(export);
        }
        ByteBuffer within =
                ByteBuffer.allocate(35).position(10).put(EXPORT.toBytes()).position(10);
        assertThat(SyncEventExport.parse(within)).isEqualTo(EXPORT);
        assertThat(within.position()).isEqualTo(10);
        SyncEventExport longest = SyncEventExport.of(Kind.PCI, new byte[65536]);
        assertThat(SyncEventExport.parse(longest.toBytes())).isEqualTo(longest);
    }

    @Test
    void refusesOtherBytes() {
        byte[] bytes = EXPORT.toBytes();
        assertDamaged(new byte[0], "it is empty");
        assertDamaged(new byte[25], "it begins with other bytes; pass a bare descriptor to SyncEventExport.of");
        assertDamaged(
                Arrays.copyOf(bytes, 3), "it begins with other bytes; pass a bare descriptor to SyncEventExport.of");
        assertDamaged(Arrays.copyOf(bytes, 15), "it is truncated after 15 bytes");
        assertDamaged(Arrays.copyOf(bytes, 24), "it has the first 24 of 25 bytes");
        assertDamaged(Arrays.copyOf(bytes, 27), "it has 27 bytes, which are 2 too many");
        assertDamaged(new byte[65557], "it has 65557 bytes, and an export has 65556 at most");
        assertDamaged(changed(4, 2), "it is of version 2, and this doca-java reads version 1");
        assertDamaged(changed(12, 0), "its descriptor has a length of 0, and not of 1 to 65536");
        assertDamaged(changed(12, -1), "its descriptor has a length of 4294967295, and not of 1 to 65536");
        assertDamaged(changed(16, 9), "its checksum is wrong");
        assertDamaged(sealed(changed(8, 2)), "there is no kind 2");
        assertDamaged(sealed(changed(8, -1)), "there is no kind 4294967295");
    }

    private static byte[] changed(int offset, int value) {
        return ByteBuffer.wrap(EXPORT.toBytes()).putInt(offset, value).array();
    }

    private static byte[] sealed(byte[] bytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, 21);
        return ByteBuffer.wrap(bytes).putInt(21, (int) checksum.getValue()).array();
    }

    private static void assertDamaged(byte[] bytes, String how) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SyncEventExport.parse(bytes))
                .withMessage("Not an export of a sync event: " + how);
    }

    @Test
    void travelsAsAFile(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("event");
        EXPORT.save(file);
        assertThat(SyncEventExport.load(file)).isEqualTo(EXPORT);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        EXPORT.saveDescriptor(file);
        assertThat(Files.readAllBytes(file)).isEqualTo(DESCRIPTOR);
        assertThat(SyncEventExport.loadDescriptor(Kind.RDMA, file)).isEqualTo(EXPORT);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> SyncEventExport.load(file))
                .withMessage(
                        file
                                + ": Not an export of a sync event: it begins with other bytes; pass a bare descriptor to SyncEventExport.of");
        Files.write(file, new byte[0]);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> SyncEventExport.loadDescriptor(Kind.PCI, file))
                .withMessage(file + ": it is empty, and not a descriptor");
        Files.write(file, new byte[70000]);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> SyncEventExport.loadDescriptor(Kind.PCI, file))
                .withMessage(file + ": it has more than the 65536 bytes that a descriptor has at most");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> SyncEventExport.load(file))
                .withMessage(file + ": it has more than the 65556 bytes that an export of a sync event has at most");
        Files.delete(file);
        assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> SyncEventExport.load(file));
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> EXPORT.save(folder))
                .withMessageContaining("only a regular file is replaced");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> EXPORT.saveDescriptor(folder))
                .withMessageContaining("only a regular file is replaced");
    }

    @Test
    void isForOneUse() {
        try (Device device = Device.open(DeviceFilter.any())) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> SyncEvent.fromExport(device, EXPORT))
                    .withMessage("An export of a sync event for PCI is needed, and this one is for RDMA");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> SyncEventContext.fromExport(device, EXPORT))
                    .withMessage("An export of a sync event for PCI is needed, and this one is for RDMA");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> RemoteSyncEvent.of(device, SyncEventExport.of(Kind.PCI, DESCRIPTOR)))
                    .withMessage("An export of a sync event for RDMA is needed, and this one is for PCI");
        }
    }
}
