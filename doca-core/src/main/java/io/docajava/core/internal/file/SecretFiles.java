/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.file;

import io.docajava.ffi.internal.StackGuard;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;

/**
 * Files with a secret, which only their owner can read. Each is written under a temporary name and then renamed, so that no
 * reader gets a part of it. Failures always name the file that the caller gave.
 */
public final class SecretFiles {

    private SecretFiles() {}

    /**
     * Reads a whole file.
     *
     * @param limit the maximum number of bytes
     * @param what the content for error messages: {@code "a descriptor"}
     * @throws IOException if the file cannot be read, or has more bytes
     */
    public static byte[] read(Path file, int limit, String what) throws IOException {
        StackGuard.check();
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

    /**
     * Refuses to replace a file that exists and is not a regular file. A rename would replace any file, for root even a device.
     *
     * @throws IOException if there is such a file, or its attributes cannot be read
     */
    public static void checkReplaceable(Path file) throws IOException {
        StackGuard.check();
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

    /** Deletes a file if it exists. */
    public static void delete(Path file) throws IOException {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw about(file, e);
        }
    }

    /**
     * Writes a file that only its owner can read, and replaces an existing file.
     *
     * @throws IOException if the file cannot be written
     */
    public static void replace(Path file, byte[] bytes) throws IOException {
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
                    ".secret",
                    null,
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (NoSuchFileException e) {
            throw new NoSuchFileException(target.toString(), null, "there is no folder " + folder);
        } catch (AccessDeniedException e) {
            throw new AccessDeniedException(target.toString(), null, "no file may be created in " + folder);
        }
    }

    /** Returns the failure with the path that the caller gave, and adds a reason if only the type of the failure states it. */
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
