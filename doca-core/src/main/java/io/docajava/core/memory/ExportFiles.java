/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Objects;

/**
 * Exports in files. Each file is written under another name and then renamed, so that nobody reads a part of one, and only
 * its owner can read it. Failures name the file that was given, whichever of them they are about.
 */
final class ExportFiles {

    /** As long as a line that the samples in C read, and longer than any two numbers. */
    private static final int MAX_BUFFER_INFO = 1024;

    private ExportFiles() {}

    static void save(MmapExport export, Path file) throws IOException {
        checkReplaceable(file);
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
        checkReplaceable(descriptor);
        checkReplaceable(bufferInfo);
        delete(bufferInfo);
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
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(limit + 1);
        } catch (IOException e) {
            throw about(file, e);
        }
        if (bytes.length > limit) {
            throw new IOException(file + ": it has more than the " + limit + " bytes that " + what + " has at most");
        }
        return bytes;
    }

    /** A rename replaces whatever is there, for root even a device. */
    private static void checkReplaceable(Path file) throws IOException {
        BasicFileAttributes there;
        try {
            there = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            return;
        } catch (IOException e) {
            throw about(file, e);
        }
        if (!there.isRegularFile()) {
            String kind = there.isDirectory() ? "a folder" : there.isSymbolicLink() ? "a symbolic link" : "special";
            throw new FileSystemException(
                    file.toString(), null, "it is " + kind + ", and only a regular file is replaced");
        }
    }

    private static void delete(Path file) throws IOException {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw about(file, e);
        }
    }

    private static void replace(Path file, byte[] bytes) throws IOException {
        Path target = file.toAbsolutePath();
        try {
            Path written = createBeside(target);
            try {
                Files.write(written, bytes);
                Files.move(written, target, StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException | RuntimeException e) {
                Files.deleteIfExists(written);
                throw e;
            }
        } catch (IOException e) {
            throw about(file, e);
        }
    }

    private static Path createBeside(Path target) throws IOException {
        Path folder = Objects.requireNonNull(target.getParent(), "what is replaceable is no root");
        try {
            return Files.createTempFile(
                    folder,
                    ".export",
                    null,
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (NoSuchFileException e) {
            throw new NoSuchFileException(target.toString(), null, "there is no folder " + folder);
        } catch (AccessDeniedException e) {
            throw new AccessDeniedException(target.toString(), null, "no file may be created in " + folder);
        }
    }

    /** The same failure with the path that the caller knows, and with a reason where only the type tells it. */
    private static IOException about(Path file, IOException failure) {
        String name = file.toString();
        String reason = failure instanceof FileSystemException known ? known.getReason() : failure.getMessage();
        IOException named = switch (failure) {
            case NoSuchFileException missing ->
                new NoSuchFileException(
                        name, null, Objects.requireNonNullElse(reason, "there is no such file or folder"));
            case AccessDeniedException denied ->
                new AccessDeniedException(name, null, Objects.requireNonNullElse(reason, "it may not be accessed"));
            default -> new FileSystemException(name, null, reason);
        };
        named.initCause(failure);
        return named;
    }
}
