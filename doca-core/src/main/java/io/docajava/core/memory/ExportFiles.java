/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;

/**
 * Exports in files. Each file is written under another name and then renamed, so that nobody reads a part of one, and only
 * its owner can read it.
 */
final class ExportFiles {

    /** As long as a line that the samples in C read, and longer than any two numbers. */
    private static final int MAX_BUFFER_INFO = 1024;

    private ExportFiles() {}

    static void save(MmapExport export, Path file) throws IOException {
        replace(file, export.toBytes());
    }

    static MmapExport load(Path file) throws IOException {
        byte[] bytes = read(file, ExportFrame.MAX_LENGTH, "an export");
        try {
            return MmapExport.parse(bytes);
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    /** The old pair ends with the removal of its second file, and the new one begins with its second file. */
    static void savePair(MmapExport export, Path descriptor, Path bufferInfo) throws IOException {
        if (descriptor
                .toAbsolutePath()
                .normalize()
                .equals(bufferInfo.toAbsolutePath().normalize())) {
            throw new IllegalArgumentException(
                    "The descriptor and the buffer information need a file each: " + descriptor);
        }
        String lines = Long.toUnsignedString(export.address()) + "\n" + export.length();
        Files.deleteIfExists(bufferInfo);
        replace(descriptor, export.descriptor());
        replace(bufferInfo, lines.getBytes(StandardCharsets.US_ASCII));
    }

    /** What says where is read twice: a writer removes it before it writes the descriptor, and may do so meanwhile. */
    static MmapExport readPair(Path descriptor, Path bufferInfo) throws IOException {
        byte[] lines = readBufferInfo(bufferInfo);
        byte[] blob = read(descriptor, MmapExport.MAX_DESCRIPTOR_LENGTH, "a descriptor");
        if (blob.length == 0) {
            throw new IOException(descriptor + ": it is empty, and not a descriptor");
        }
        if (!Arrays.equals(lines, readBufferInfo(bufferInfo))) {
            throw new IOException(bufferInfo + ": it was written while it was read; read both files again");
        }
        BufferInfo info = BufferInfo.parse(bufferInfo, new String(lines, StandardCharsets.ISO_8859_1));
        try {
            return MmapExport.of(blob, info.address(), info.length());
        } catch (IllegalArgumentException e) {
            throw new IOException(bufferInfo + ": " + e.getMessage(), e);
        }
    }

    private static byte[] readBufferInfo(Path file) throws IOException {
        return read(file, MAX_BUFFER_INFO, "buffer information");
    }

    private static byte[] read(Path file, int limit, String what) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(limit + 1);
            if (bytes.length > limit) {
                throw new IOException(
                        file + ": it has more than the " + limit + " bytes that " + what + " has at most");
            }
            return bytes;
        }
    }

    private static void replace(Path file, byte[] bytes) throws IOException {
        Path target = file.toAbsolutePath();
        Path folder = target.getParent();
        if (folder == null) {
            throw new IOException(file + ": it is a folder");
        }
        Path written = Files.createTempFile(
                folder,
                ".export",
                null,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            Files.write(written, bytes);
            Files.move(written, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(written);
            throw e;
        }
    }
}
