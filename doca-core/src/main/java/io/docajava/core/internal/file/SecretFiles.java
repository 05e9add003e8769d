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
 * Files with a secret. Each is written under another name and then renamed, so that nobody reads a part of one, and only its
 * owner can read it. Failures name the file that was given, whichever of them they are about.
 */
public final class SecretFiles {

    private SecretFiles() {}

    /**
     * Reads all of a file.
     *
     * @param limit the most bytes that it may have
     * @param what it holds, as an error names it: {@code "a descriptor"}
     * @throws IOException if it cannot be read, or has more bytes
     */
    public static byte[] read(Path file, int limit, String what) throws IOException {
        StackGuard.checkByDescent();
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
     * Refuses a place where something else than a regular file is: a rename replaces whatever is there, for root even a
     * device.
     *
     * @throws IOException if there is, or nothing can be known of it
     */
    public static void checkReplaceable(Path file) throws IOException {
        StackGuard.checkByDescent();
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

    /** Removes a file if there is one. */
    public static void delete(Path file) throws IOException {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw about(file, e);
        }
    }

    /**
     * Writes a file that only its owner can read, in the place of one that is there.
     *
     * @throws IOException if it cannot be written
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

    /** The same failure with the path that the caller knows, and with a reason where only the type says it. */
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
