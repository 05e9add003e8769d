/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.filecopy;

import io.docajava.samples.cli.SampleException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.UUID;

/** A file that is written under a temporary name in the same folder, and renamed when it is complete. */
final class OutputFile implements AutoCloseable {

    private final Path target;
    private final boolean replaces;
    private final Path unfinished;
    private final FileChannel channel;
    private final MessageDigest digest = Sha256.create();

    private OutputFile(Path target, boolean replaces, Path unfinished) {
        this.target = target;
        this.replaces = replaces;
        this.unfinished = unfinished;
        try {
            this.channel = FileChannel.open(unfinished, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        } catch (IOException e) {
            throw cannotBeWritten(target, e);
        }
        // For the end by a signal other than SIGKILL.
        unfinished.toFile().deleteOnExit();
    }

    /** Checks that a file can be the output. */
    static void check(Path target, boolean replaces) {
        if (!Files.isDirectory(folder(target))) {
            throw new SampleException(target + ": there is no folder " + folder(target));
        }
        if (Files.exists(target) && !Files.isRegularFile(target)) {
            throw new SampleException(target + ": it exists and is no regular file");
        }
        if (Files.exists(target) && !replaces) {
            throw new SampleException(target + ": it exists already, and --force replaces it");
        }
    }

    /**
     * Creates the unfinished file.
     *
     * @param replaces whether the complete file may replace an existing one
     */
    static OutputFile create(Path target, boolean replaces) {
        return new OutputFile(
                target, replaces, folder(target).resolve(".dma_file_copy-" + UUID.randomUUID() + ".part"));
    }

    private static Path folder(Path file) {
        Path parent = file.toAbsolutePath().getParent();
        // Only the root has no parent, and is not a regular file.
        return parent == null ? file.toAbsolutePath() : parent;
    }

    /** Appends all remaining bytes of a buffer. */
    void write(ByteBuffer bytes) throws IOException {
        digest.update(bytes.duplicate());
        try {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (IOException e) {
            throw cannotBeWritten(target, e);
        }
    }

    /** Returns an exception with the name that the user knows, instead of that of the unfinished file. */
    private static SampleException cannotBeWritten(Path target, IOException failure) {
        String reason = switch (failure) {
            case AccessDeniedException denied -> "files in " + folder(target) + " may not be changed";
            case NoSuchFileException missing -> "files in " + folder(target) + " cannot be created";
            case FileSystemException other -> String.valueOf(other.getReason());
            default -> String.valueOf(failure.getMessage());
        };
        return new SampleException(target + ": it cannot be written: " + reason);
    }

    /** Returns the SHA-256 of all written bytes. Called once. */
    byte[] digest() {
        return digest.digest();
    }

    /** Renames the file to its final name. */
    void complete() throws IOException {
        channel.close();
        try {
            if (replaces) {
                Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
            } else {
                Files.move(unfinished, target);
            }
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (IOException e) {
            throw cannotBeWritten(target, e);
        }
    }

    /** Deletes the file unless it is complete. */
    @Override
    public void close() throws IOException {
        channel.close();
        Files.deleteIfExists(unfinished);
    }
}
