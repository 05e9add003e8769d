/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.internal.file.SecretFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;

/**
 * The details that a peer needs to connect to a prepared {@link RdmaConnection}: {@code doca_rdma_export} returns these bytes on
 * one side, and {@code doca_rdma_connect} takes them on the other. The program passes them on in one of three ways: as {@link
 * #bytes()}; in a file by {@link #save} and {@link #load}, in the format of NVIDIA's samples; or by a {@link
 * io.docajava.rdma.exchange.DescriptorExchange}.
 *
 * <p>Details become void when their context stops. Anyone with the details can connect, so the two processes must keep them secret.
 *
 * <p>Immutable.
 */
public final class ConnectionDetails {

    /** The largest length of details in bytes. Those of known SDKs are shorter than 1024 bytes. */
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
     * Returns details made of the bytes that the peer has passed on. The SDK checks their content when it connects.
     *
     * @param bytes 1 to {@link #MAX_LENGTH} bytes, as {@link #bytes()} returned them to the peer; they are copied
     * @return new details
     * @throws IllegalArgumentException if {@code bytes} is empty or too long
     */
    public static ConnectionDetails of(byte[] bytes) {
        Objects.requireNonNull(bytes, "bytes");
        return new ConnectionDetails(bytes.clone());
    }

    /**
     * Reads details from a file that contains only their bytes.
     *
     * @param file that {@link #save} or a program in C has written
     * @return the details, which the SDK checks when it connects
     * @throws IOException if the file cannot be read, is empty, or is too long; the message names the file
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
     * Writes the bytes, and nothing else, to a file that only its owner can read. An existing file is replaced atomically: a reader
     * sees either all of the old file or all of the new one.
     *
     * @param file that does not exist, or a regular file to replace; a symbolic link or another kind of file is refused
     * @throws IOException if the file cannot be written; the message names the file
     */
    public void save(Path file) throws IOException {
        Objects.requireNonNull(file, "file");
        SecretFiles.checkReplaceable(file);
        SecretFiles.replace(file, bytes);
    }

    /** {@return a new array with the bytes to pass on to the peer} */
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

    /** Describes the details by their length only, as their bytes are secret. */
    @Override
    public String toString() {
        return "Connection details of " + bytes.length + " bytes";
    }
}
