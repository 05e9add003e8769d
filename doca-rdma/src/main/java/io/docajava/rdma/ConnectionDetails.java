/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.internal.file.SecretFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;

/**
 * What one side of an RDMA connection tells the other one to connect: the bytes that {@code doca_rdma_export} gives on one
 * side, and {@code doca_rdma_connect} takes on the other. They travel by whatever means: as {@link #bytes()}, in a file by
 * {@link #save} and {@link #load}, which is the file of NVIDIA's samples, or by a {@link io.docajava.rdma.exchange.DescriptorExchange}.
 *
 * <p>They are of one run of a context, and of no use once that has stopped. Whoever has them can connect: they are a secret of
 * the two processes.
 *
 * <p>Immutable.
 */
public final class ConnectionDetails {

    /** The most bytes that they have; those of known SDKs have less than 1024. */
    public static final int MAX_LENGTH = 65536;

    private final byte[] bytes;

    private ConnectionDetails(byte[] bytes) {
        if (bytes.length < 1 || bytes.length > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "The details of an RDMA connection have 1 to " + MAX_LENGTH + " bytes, and not " + bytes.length);
        }
        this.bytes = bytes;
    }

    /**
     * Details that came by other means. What the bytes mean is up to the SDK, which looks at them when it connects.
     *
     * @param bytes of 1 to 65536 bytes, as {@link #bytes()} gave them
     * @throws IllegalArgumentException if there are none, or more
     */
    public static ConnectionDetails of(byte[] bytes) {
        Objects.requireNonNull(bytes, "bytes");
        return new ConnectionDetails(bytes.clone());
    }

    /**
     * Reads a file with the bytes and nothing else, as {@link #save} or a program in C wrote it.
     *
     * @throws IOException if it cannot be read, is empty, or is too long; the message names the file
     */
    public static ConnectionDetails load(Path file) throws IOException {
        Objects.requireNonNull(file, "file");
        byte[] bytes = SecretFiles.read(file, MAX_LENGTH, "a connection descriptor");
        if (bytes.length == 0) {
            throw new IOException(file + ": it is empty, and not a connection descriptor");
        }
        return new ConnectionDetails(bytes);
    }

    /**
     * Writes the bytes, and nothing else, to a file that only its owner can read. A file that is there is replaced at once:
     * whoever reads sees all of the old one or all of the new one.
     *
     * @param file a new one, or a regular file to replace; nothing else is, not even a symbolic link
     * @throws IOException if it cannot be written; the message names the file
     */
    public void save(Path file) throws IOException {
        Objects.requireNonNull(file, "file");
        SecretFiles.checkReplaceable(file);
        SecretFiles.replace(file, bytes);
    }

    /** A copy of the bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ConnectionDetails details && Arrays.equals(bytes, details.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** Describes the details by their size. Nothing by which anybody could connect. */
    @Override
    public String toString() {
        return "Connection details of " + bytes.length + " bytes";
    }
}
