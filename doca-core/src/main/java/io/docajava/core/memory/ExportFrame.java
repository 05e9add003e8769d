/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * An export as bytes, big-endian: what they are (4 bytes), the version (4), the access or -1 (4), the address (8), the
 * length (8), the size of the descriptor (4), the descriptor, and the CRC-32C of all before it (4).
 */
final class ExportFrame {

    /** No text begins so, nor do other files. */
    private static final int MAGIC = 0xd0ca_e801;

    private static final int VERSION = 1;
    private static final int NO_ACCESS = -1;
    private static final int HEADER = 4 + 4 + 4 + 8 + 8 + 4;
    private static final int CHECKSUM = 4;

    /** The longest frame. */
    static final int MAX_LENGTH = HEADER + MmapExport.MAX_DESCRIPTOR_LENGTH + CHECKSUM;

    private ExportFrame() {}

    static byte[] encode(MmapExport export) {
        byte[] descriptor = export.descriptor();
        ByteBuffer frame = ByteBuffer.allocate(HEADER + descriptor.length + CHECKSUM);
        frame.putInt(MAGIC)
                .putInt(VERSION)
                .putInt(export.access().map(Access::flags).orElse(NO_ACCESS))
                .putLong(export.address())
                .putLong(export.length())
                .putInt(descriptor.length)
                .put(descriptor);
        return frame.putInt(checksum(frame.duplicate().flip())).array();
    }

    /** Reads all that remains. */
    static MmapExport decode(ByteBuffer bytes) {
        ByteBuffer frame = bytes.slice();
        int size = frame.remaining();
        if (size == 0) {
            throw damaged("it is empty");
        }
        if (size > MAX_LENGTH) {
            throw damaged("it has " + size + " bytes, and an export has " + MAX_LENGTH + " at most");
        }
        if (size < 4 || frame.getInt() != MAGIC) {
            throw damaged("it begins with other bytes");
        }
        if (size < 8) {
            throw truncated(size);
        }
        int version = frame.getInt();
        if (version != VERSION) {
            throw damaged("it is of version " + Integer.toUnsignedString(version)
                    + ", and this doca-java reads version " + VERSION);
        }
        return decodeBody(frame, size);
    }

    private static MmapExport decodeBody(ByteBuffer frame, int size) {
        if (size < HEADER) {
            throw truncated(size);
        }
        int flags = frame.getInt();
        long address = frame.getLong();
        long length = frame.getLong();
        int descriptorLength = frame.getInt();
        if (descriptorLength < 1 || descriptorLength > MmapExport.MAX_DESCRIPTOR_LENGTH) {
            throw damaged("its descriptor would have " + Integer.toUnsignedString(descriptorLength)
                    + " bytes, and has 1 to " + MmapExport.MAX_DESCRIPTOR_LENGTH);
        }
        int expected = HEADER + descriptorLength + CHECKSUM;
        if (size < expected) {
            throw damaged("it has the first " + size + " of " + expected + " bytes");
        }
        if (size > expected) {
            throw damaged("it has " + size + " bytes, which are " + (size - expected) + " too many");
        }
        byte[] descriptor = new byte[descriptorLength];
        frame.get(descriptor);
        if (checksum(frame.duplicate().flip()) != frame.getInt()) {
            throw damaged("its checksum is wrong");
        }
        return MmapExport.of(descriptor, address, length, access(flags));
    }

    private static @Nullable Access access(int flags) {
        return flags == NO_ACCESS ? null : Access.ofFlags(flags);
    }

    private static int checksum(ByteBuffer bytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes);
        return (int) checksum.getValue();
    }

    private static IllegalArgumentException truncated(int size) {
        return damaged("it has no more than the first " + size + " bytes of one");
    }

    private static IllegalArgumentException damaged(String how) {
        return new IllegalArgumentException("Not an export of an Mmap: " + how);
    }
}
