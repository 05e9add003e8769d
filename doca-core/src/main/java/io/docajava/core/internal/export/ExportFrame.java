/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.export;

import java.nio.ByteBuffer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * The format of exports as bytes, big-endian: the magic number (4 bytes), the version (4), the fields of the kind of export, the
 * size of the SDK's descriptor (4), the descriptor, and the CRC-32C of all preceding bytes (4).
 *
 * @param magic the first 4 bytes, which distinguish the export from text, other files and other kinds of exports
 * @param object the exported object for error messages: {@code "an Mmap"}
 * @param fields the number of bytes of the fields
 * @param ofDescriptor the method that takes a bare descriptor, for error messages: {@code "Mmap.fromDescriptor"}
 */
public record ExportFrame(int magic, String object, int fields, String ofDescriptor) {

    /** The maximum length of a descriptor in bytes. Descriptors of known SDKs have less than a thousand bytes. */
    public static final int MAX_DESCRIPTOR_LENGTH = 65536;

    private static final int VERSION = 1;
    private static final int PROLOGUE = 4 + 4;
    private static final int CHECKSUM = 4;

    /** Returns the number of bytes before the descriptor. */
    private int header() {
        return PROLOGUE + fields + 4;
    }

    /** Returns the maximum length of an export in bytes. */
    int maxLength() {
        return header() + MAX_DESCRIPTOR_LENGTH + CHECKSUM;
    }

    /**
     * Writes an export.
     *
     * @param putFields writes the fields
     */
    public byte[] encode(Consumer<ByteBuffer> putFields, byte[] descriptor) {
        ByteBuffer frame = ByteBuffer.allocate(header() + descriptor.length + CHECKSUM);
        frame.putInt(magic).putInt(VERSION);
        putFields.accept(frame);
        frame.putInt(descriptor.length).put(descriptor);
        return frame.putInt(checksum(frame.duplicate().flip())).array();
    }

    /**
     * Reads an export from the remaining bytes of a buffer, whose position does not change.
     *
     * @param make creates the export from the fields and the descriptor, which have a correct checksum but are not checked
     *     otherwise
     * @throws IllegalArgumentException if the bytes are anything else, damaged, or of a newer version
     */
    public <E> E decode(ByteBuffer bytes, BiFunction<? super ByteBuffer, byte[], E> make) {
        ByteBuffer frame = bytes.slice();
        checkPrologue(frame);
        int size = frame.limit();
        if (size < header()) {
            throw truncated(size);
        }
        ByteBuffer fieldBytes = frame.slice(PROLOGUE, fields);
        byte[] descriptor = new byte[checkSize(size, frame.getInt(PROLOGUE + fields))];
        frame.get(header(), descriptor);
        int end = size - CHECKSUM;
        if (checksum(frame.slice(0, end)) != frame.getInt(end)) {
            throw damaged("its checksum is wrong");
        }
        return make.apply(fieldBytes, descriptor);
    }

    private void checkPrologue(ByteBuffer frame) {
        int size = frame.limit();
        if (size == 0) {
            throw damaged("it is empty");
        }
        if (size > maxLength()) {
            throw damaged("it has " + size + " bytes, and an export has " + maxLength() + " at most");
        }
        if (size < 4 || frame.getInt(0) != magic) {
            throw damaged("it begins with other bytes; pass a bare descriptor to " + ofDescriptor);
        }
        if (size < PROLOGUE) {
            throw truncated(size);
        }
        int version = frame.getInt(4);
        if (version != VERSION) {
            throw damaged("it is of version " + Integer.toUnsignedString(version)
                    + ", and this doca-java reads version " + VERSION);
        }
    }

    /** Refuses a descriptor length that does not match the length of the export. */
    private int checkSize(int size, int descriptorLength) {
        if (descriptorLength < 1 || descriptorLength > MAX_DESCRIPTOR_LENGTH) {
            throw damaged("its descriptor has a length of " + Integer.toUnsignedString(descriptorLength)
                    + ", and not of 1 to " + MAX_DESCRIPTOR_LENGTH);
        }
        int expected = header() + descriptorLength + CHECKSUM;
        if (size < expected) {
            throw damaged("it has the first " + size + " of " + expected + " bytes");
        }
        if (size > expected) {
            throw damaged("it has " + size + " bytes, which are " + (size - expected) + " too many");
        }
        return descriptorLength;
    }

    private static int checksum(ByteBuffer bytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes);
        return (int) checksum.getValue();
    }

    private IllegalArgumentException truncated(int size) {
        return damaged("it is truncated after " + size + " bytes");
    }

    /** Returns the exception for bytes that are not a valid export of this kind. */
    public IllegalArgumentException damaged(String how) {
        return new IllegalArgumentException("Not an export of " + object + ": " + how);
    }
}
