/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import io.docajava.core.internal.export.ExportFiles;
import io.docajava.core.internal.file.SecretFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/** Saves and loads exports as the two files of NVIDIA's samples, which only their owner can read. */
final class ExportPair {

    /** The longest line that the samples in C read; two numbers are always shorter. */
    private static final int MAX_BUFFER_INFO = 1024;

    private ExportPair() {}

    /** Deletes the second file first and writes it last: while it exists, both files are of the same export. */
    static void save(MmapExport export, Path descriptor, Path bufferInfo) throws IOException {
        if (descriptor
                .toAbsolutePath()
                .normalize()
                .equals(bufferInfo.toAbsolutePath().normalize())) {
            throw new IllegalArgumentException(
                    "The descriptor and the buffer information need a file each: " + descriptor);
        }
        String lines = Long.toUnsignedString(export.address()) + "\n" + export.length();
        SecretFiles.checkReplaceable(descriptor);
        SecretFiles.checkReplaceable(bufferInfo);
        SecretFiles.delete(bufferInfo);
        SecretFiles.replace(descriptor, export.descriptor());
        SecretFiles.replace(bufferInfo, lines.getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * Loads a pair of files. A writer deletes the buffer information before it writes the descriptor, so reading the buffer
     * information twice detects a concurrent writer.
     */
    static MmapExport load(Path descriptor, Path bufferInfo) throws IOException {
        byte[] lines = readBufferInfo(bufferInfo);
        byte[] blob = ExportFiles.loadDescriptor(descriptor);
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
        return SecretFiles.read(file, MAX_BUFFER_INFO, "buffer information");
    }
}
