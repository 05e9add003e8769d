/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Reads the header of an ELF file, to find the reason why the file cannot be loaded here. */
final class ElfFile {

    private static final int MAGIC = 0x7f454c46;
    private static final int CLASS_64 = 2;
    private static final int LITTLE_ENDIAN = 1;

    private static final int CLASS_OFFSET = 4;
    private static final int ENCODING_OFFSET = 5;
    private static final int MACHINE_OFFSET = 18;
    /** The fields that identify the architecture of a file. */
    private static final int IDENTITY_SIZE = 20;

    private static final int SEGMENTS_OFFSET = 32;
    private static final int SEGMENT_SIZE_OFFSET = 54;
    private static final int SEGMENT_COUNT_OFFSET = 56;
    private static final int HEADER_SIZE = 64;

    private static final int SEGMENT_FILE_OFFSET = 8;
    private static final int SEGMENT_FILE_SIZE = 32;
    private static final int SEGMENT_HEADER_SIZE = 56;

    private ElfFile() {}

    /** Returns the reason why a file is not a library for this platform; empty if its headers are valid. */
    static Optional<String> misfit(Path file, Platform platform) {
        // Opening a named pipe would wait for its other end.
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            return Optional.of("is not a regular file");
        }
        // Not a channel: an interrupted thread could not read, and no later thread could load the libraries.
        try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "r")) {
            return misfit(opened, platform);
        } catch (IOException e) {
            return Optional.of("cannot be read: " + e);
        }
    }

    private static Optional<String> misfit(RandomAccessFile file, Platform platform) throws IOException {
        ByteBuffer header = read(file, 0, HEADER_SIZE);
        if (header.limit() < IDENTITY_SIZE || header.getInt(0) != MAGIC) {
            return Optional.of("is not an ELF file");
        }
        header.order(header.get(ENCODING_OFFSET) == LITTLE_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
        int machine = Short.toUnsignedInt(header.getShort(MACHINE_OFFSET));
        if (machine != platform.elfMachine()) {
            return Optional.of("is built for " + machineName(machine) + ", but this JVM runs on " + platform.name());
        }
        if (header.get(CLASS_OFFSET) != CLASS_64) {
            return Optional.of("is a 32-bit library, but this JVM is 64-bit");
        }
        return isWhole(file, header) ? Optional.empty() : Optional.of("is cut off: parts of the library are missing");
    }

    /** Returns whether the file has all segments. The loader maps them without this check and crashes on a short file. */
    private static boolean isWhole(RandomAccessFile file, ByteBuffer header) throws IOException {
        if (header.limit() < HEADER_SIZE) {
            return false;
        }
        int count = Short.toUnsignedInt(header.getShort(SEGMENT_COUNT_OFFSET));
        int step = Short.toUnsignedInt(header.getShort(SEGMENT_SIZE_OFFSET));
        for (int i = 0; i < count; i++) {
            ByteBuffer segment = read(file, header.getLong(SEGMENTS_OFFSET) + (long) i * step, SEGMENT_HEADER_SIZE);
            if (segment.limit() < SEGMENT_HEADER_SIZE) {
                return false;
            }
            segment.order(header.order());
            long end = segment.getLong(SEGMENT_FILE_OFFSET) + segment.getLong(SEGMENT_FILE_SIZE);
            if (end < 0 || end > file.length()) {
                return false;
            }
        }
        return true;
    }

    /** Reads from a position in a file: fewer bytes at its end, and none at an invalid position. */
    private static ByteBuffer read(RandomAccessFile file, long position, int size) throws IOException {
        byte[] bytes = new byte[size];
        int length = 0;
        if (position >= 0) {
            file.seek(position);
            int count = file.read(bytes);
            while (count > 0) {
                length += count;
                count = file.read(bytes, length, size - length);
            }
        }
        return ByteBuffer.wrap(bytes, 0, length);
    }

    private static String machineName(int machine) {
        return switch (machine) {
            case 3 -> "x86 (32-bit)";
            case 40 -> "arm (32-bit)";
            case 21 -> "ppc64";
            case 22 -> "s390x";
            case 62 -> "x86_64";
            case 183 -> "aarch64";
            case 243 -> "riscv";
            default -> "machine " + machine;
        };
    }
}
