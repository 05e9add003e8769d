/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.export;

import io.docajava.core.internal.file.SecretFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Function;

/** Files with an export or a bare descriptor, which only their owner can read. Failures name the file. */
public final class ExportFiles {

    private ExportFiles() {}

    /**
     * Reads an export.
     *
     * @param parse creates the export from the bytes; throws {@link IllegalArgumentException} if it cannot
     * @throws IOException if the file cannot be read, or contains anything else
     */
    public static <E> E load(Path file, ExportFrame frame, Function<byte[], E> parse) throws IOException {
        byte[] bytes = SecretFiles.read(file, frame.maxLength(), "an export of " + frame.object());
        try {
            return parse.apply(bytes);
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Reads a bare descriptor.
     *
     * @throws IOException if the file cannot be read, is empty, or is too long
     */
    public static byte[] loadDescriptor(Path file) throws IOException {
        byte[] descriptor = SecretFiles.read(file, ExportFrame.MAX_DESCRIPTOR_LENGTH, "a descriptor");
        if (descriptor.length == 0) {
            throw new IOException(file + ": it is empty, and not a descriptor");
        }
        return descriptor;
    }

    /**
     * Writes an export or a descriptor, and atomically replaces an existing regular file.
     *
     * @throws IOException if the file cannot be written, or a file of another kind exists
     */
    public static void save(Path file, byte[] bytes) throws IOException {
        SecretFiles.checkReplaceable(file);
        SecretFiles.replace(file, bytes);
    }
}
