/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests exports as values and as bytes. */
class MmapExportTest {

    private static final byte[] DESCRIPTOR = {1, 2, 3};
    private static final Access ACCESS = Access.PCI_READ_WRITE.plus(Access.LOCAL_READ_WRITE);
    private static final MmapExport EXPORT = MmapExport.of(DESCRIPTOR, 0x7f00_0000_1000L, 4096, ACCESS);
    private static final int DESCRIPTOR_LENGTH_AT = 28;

    @Test
    void isAValue() {
        assertThat(EXPORT.descriptor()).containsExactly(1, 2, 3);
        assertThat(EXPORT.address()).isEqualTo(0x7f00_0000_1000L);
        assertThat(EXPORT.length()).isEqualTo(4096);
        assertThat(EXPORT.access()).contains(ACCESS);
        assertThat(EXPORT)
                .isEqualTo(MmapExport.of(DESCRIPTOR.clone(), 0x7f00_0000_1000L, 4096, ACCESS))
                .hasSameHashCodeAs(MmapExport.of(DESCRIPTOR.clone(), 0x7f00_0000_1000L, 4096, ACCESS))
                .isNotEqualTo(MmapExport.of(new byte[] {1, 2, 4}, 0x7f00_0000_1000L, 4096, ACCESS))
                .isNotEqualTo(MmapExport.of(DESCRIPTOR, 0x7f00_0000_1001L, 4096, ACCESS))
                .isNotEqualTo(MmapExport.of(DESCRIPTOR, 0x7f00_0000_1000L, 4097, ACCESS))
                .isNotEqualTo(MmapExport.of(DESCRIPTOR, 0x7f00_0000_1000L, 4096));
    }

    @Test
    void copiesItsDescriptor() {
        byte[] given = {1, 2, 3};
        MmapExport export = MmapExport.of(given, 1, 1);

        given[0] = 42;
        export.descriptor()[1] = 42;

        assertThat(export.descriptor()).containsExactly(1, 2, 3);
    }

    @Test
    void doesNotPrintItsDescriptor() {
        assertThat(EXPORT)
                .hasToString("Export of 4096 bytes at 0x7f0000001000 with access LOCAL_READ_WRITE|PCI_READ_WRITE,"
                        + " descriptor of 3 bytes");
        assertThat(MmapExport.of(new byte[512], -4096, 1))
                .hasToString("Export of 1 bytes at 0xfffffffffffff000 with access unknown, descriptor of 512 bytes");
    }

    @Test
    void hasPartsThatMakeSense() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MmapExport.of(new byte[0], 1, 1))
                .withMessage("The descriptor of an export has 1 to 65536 bytes, and not 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MmapExport.of(new byte[65537], 1, 1))
                .withMessage("The descriptor of an export has 1 to 65536 bytes, and not 65537");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MmapExport.of(DESCRIPTOR, 1, 0))
                .withMessage("The memory of an export has 1 to 9223372036854775807 bytes, and not 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MmapExport.of(DESCRIPTOR, 1, -1))
                .withMessage(
                        "The memory of an export has 1 to 9223372036854775807 bytes, and not 18446744073709551615");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MmapExport.of(DESCRIPTOR, -4096, 4096))
                .withMessage("The memory of an export ends within 64 bits of address, and not so 4096 bytes at"
                        + " 0xfffffffffffff000");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 80, 512, 65536})
    void isReadAsItWasWritten(int descriptorLength) {
        byte[] descriptor = new byte[descriptorLength];
        Arrays.setAll(new Byte[descriptorLength], i -> descriptor[i] = (byte) (i * 31));
        for (MmapExport export : new MmapExport[] {
            MmapExport.of(descriptor, -4096, 4095, Access.LOCAL_READ_ONLY),
            MmapExport.of(descriptor, 0, Long.MAX_VALUE, ACCESS),
            MmapExport.of(descriptor, 0x7f00_0000_1000L, 1)
        }) {
            byte[] bytes = export.toBytes();

            assertThat(bytes).hasSize(descriptorLength + 36);
            assertThat(MmapExport.parse(bytes)).isEqualTo(export);
        }
    }

    @Test
    void isReadFromAPartOfABuffer() {
        byte[] bytes = EXPORT.toBytes();
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length + 10);
        buffer.put(5, bytes).position(5).limit(5 + bytes.length);

        assertThat(MmapExport.parse(buffer)).isEqualTo(EXPORT);
        assertThat(buffer.position()).isEqualTo(5);
        assertThat(MmapExport.parse(buffer.asReadOnlyBuffer())).isEqualTo(EXPORT);
    }

    /** The format is fixed, so that releases can read each other's exports. */
    @Test
    void hasAFormatThatStays() {
        assertThat(HexFormat.of().formatHex(EXPORT.toBytes()))
                .isEqualTo("d0cae801" + "00000001" + "00000021" + "00007f0000001000" + "0000000000001000" + "00000003"
                        + "010203" + "6052321b");
    }

    @Test
    void noticesEveryTruncation() {
        byte[] bytes = EXPORT.toBytes();

        for (int length = 0; length < bytes.length; length++) {
            assertRefused(
                    Arrays.copyOf(bytes, length),
                    length == 0
                            ? "it is empty"
                            : length < 4
                                    ? "it begins with other bytes; pass a bare descriptor to Mmap.fromDescriptor"
                                    : length < 32
                                            ? "it is truncated after " + length + " bytes"
                                            : "it has the first " + length + " of 39 bytes");
        }
    }

    @Test
    void noticesTheChangeOfAnyBit() {
        byte[] bytes = EXPORT.toBytes();

        for (int bit = 0; bit < bytes.length * 8; bit++) {
            byte[] changed = bytes.clone();
            changed[bit / 8] ^= (byte) (1 << bit % 8);
            assertThatIllegalArgumentException()
                    .as("bit %d", bit)
                    .isThrownBy(() -> MmapExport.parse(changed))
                    .withMessageStartingWith("Not an export of an Mmap: ");
        }
    }

    @Test
    void saysWhatIsWrong() {
        assertRefused(new byte[100], "it begins with other bytes; pass a bare descriptor to Mmap.fromDescriptor");
        assertRefused(new byte[65573], "it has 65573 bytes, and an export has 65572 at most");
        assertRefused(changed(4, 2), "it is of version 2, and this doca-java reads version 1");
        assertRefused(changed(4, -1), "it is of version 4294967295, and this doca-java reads version 1");
        assertRefused(changed(DESCRIPTOR_LENGTH_AT, 0), "its descriptor has a length of 0, and not of 1 to 65536");
        assertRefused(
                changed(DESCRIPTOR_LENGTH_AT, -1), "its descriptor has a length of 4294967295, and not of 1 to 65536");
        assertRefused(changed(DESCRIPTOR_LENGTH_AT, 2), "it has 39 bytes, which are 1 too many");
        assertRefused(Arrays.copyOf(EXPORT.toBytes(), 50), "it has 50 bytes, which are 11 too many");
        assertRefused(changed(12, 42), "its checksum is wrong");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "33|4096|0|The memory of an export has 1 to 9223372036854775807 bytes, and not 0",
                "33|4096|-1|The memory of an export has 1 to 9223372036854775807 bytes, and not 18446744073709551615",
                "33|-1|1|The memory of an export ends within 64 bits of address, and not so 1 bytes at 0xffffffffffffffff",
                "48|4096|1|PCI_READ_ONLY and PCI_READ_WRITE exclude each other",
                "256|4096|1|There is no access 0x100"
            })
    void refusesValuesThatMakeNoSense(int access, long address, long length, String message) {
        ByteBuffer frame = ByteBuffer.wrap(EXPORT.toBytes());
        frame.putInt(8, access).putLong(12, address).putLong(20, length);
        CRC32C checksum = new CRC32C();
        checksum.update(frame.array(), 0, 35);
        frame.putInt(35, (int) checksum.getValue());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> MmapExport.parse(frame.array()))
                .withMessage(message);
    }

    private static byte[] changed(int index, int value) {
        return ByteBuffer.wrap(EXPORT.toBytes()).putInt(index, value).array();
    }

    private static void assertRefused(byte[] bytes, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MmapExport.parse(bytes))
                .withMessage("Not an export of an Mmap: " + message);
    }
}
