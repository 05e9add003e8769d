/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * An export as bytes, big-endian: what they are (4 bytes), the version (4), the kind (4), the size of the descriptor (4), the
 * descriptor, and the CRC-32C of all before it (4).
 */
final class EventExportFrame {

    /** No text begins so, nor do other files. */
    private static final int MAGIC = 0xd0ca_e802;

    private static final int VERSION = 1;
    private static final int HEADER = 4 + 4 + 4 + 4;
    private static final int CHECKSUM = 4;

    /** The longest frame. */
    static final int MAX_LENGTH = HEADER + SyncEventExport.MAX_DESCRIPTOR_LENGTH + CHECKSUM;

    private EventExportFrame() {}

    static byte[] encode(SyncEventExport export) {
        byte[] descriptor = export.descriptor();
        ByteBuffer frame = ByteBuffer.allocate(HEADER + descriptor.length + CHECKSUM);
        frame.putInt(MAGIC)
                .putInt(VERSION)
                .putInt(number(export.kind()))
                .putInt(descriptor.length)
                .put(descriptor);
        return frame.putInt(checksum(frame.duplicate().flip())).array();
    }

    /** Reads all that remains. */
    static SyncEventExport decode(ByteBuffer bytes) {
        ByteBuffer frame = bytes.slice();
        int size = frame.remaining();
        if (size > MAX_LENGTH) {
            throw damaged("it has " + size + " bytes, and an export has " + MAX_LENGTH + " at most");
        }
        if (size < 4 || frame.getInt() != MAGIC) {
            throw damaged(size == 0 ? "it is empty" : "it begins with other bytes");
        }
        if (size < HEADER) {
            throw damaged("it has no more than the first " + size + " bytes of one");
        }
        int version = frame.getInt();
        if (version != VERSION) {
            throw damaged("it is of version " + Integer.toUnsignedString(version)
                    + ", and this doca-java reads version " + VERSION);
        }
        int kind = frame.getInt();
        byte[] descriptor = descriptor(frame, size);
        if (checksum(frame.duplicate().flip()) != frame.getInt()) {
            throw damaged("its checksum is wrong");
        }
        return SyncEventExport.of(kind(kind), descriptor);
    }

    private static byte[] descriptor(ByteBuffer frame, int size) {
        int length = frame.getInt();
        if (length < 1 || length > SyncEventExport.MAX_DESCRIPTOR_LENGTH) {
            throw damaged("its descriptor would have " + Integer.toUnsignedString(length) + " bytes, and has 1 to "
                    + SyncEventExport.MAX_DESCRIPTOR_LENGTH);
        }
        int expected = HEADER + length + CHECKSUM;
        if (size < expected) {
            throw damaged("it has the first " + size + " of " + expected + " bytes");
        }
        if (size > expected) {
            throw damaged("it has " + size + " bytes, which are " + (size - expected) + " too many");
        }
        byte[] descriptor = new byte[length];
        frame.get(descriptor);
        return descriptor;
    }

    private static int number(SyncEventExport.Kind kind) {
        return switch (kind) {
            case PCI -> 0;
            case RDMA -> 1;
        };
    }

    private static SyncEventExport.Kind kind(int number) {
        return switch (number) {
            case 0 -> SyncEventExport.Kind.PCI;
            case 1 -> SyncEventExport.Kind.RDMA;
            default -> throw damaged("there is no kind " + Integer.toUnsignedString(number));
        };
    }

    private static int checksum(ByteBuffer bytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes);
        return (int) checksum.getValue();
    }

    private static IllegalArgumentException damaged(String how) {
        return new IllegalArgumentException("Not an export of a sync event: " + how);
    }
}
