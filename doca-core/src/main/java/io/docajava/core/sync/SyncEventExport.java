/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import io.docajava.core.internal.export.ExportFiles;
import io.docajava.core.internal.export.ExportFrame;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;

/**
 * Export of a sync event for another process: the SDK's descriptor, and for what kind of use it is. Carried from one process
 * to the other in one of these forms:
 *
 * <ul>
 *   <li>bytes of doca-java's own, checked when they are read: {@link #toBytes()} and {@link #parse}, and the same in a file:
 *       {@link #save} and {@link #load};
 *   <li>the descriptor and nothing else, for programs in C: {@link #descriptor()} and {@link #of}, and the file of NVIDIA's
 *       samples: {@link #saveDescriptor} and {@link #loadDescriptor}.
 * </ul>
 *
 * <p>Whoever has an export can use the event: it is a secret of the two processes. Files are readable by their owner only.
 *
 * <p>Immutable.
 */
public final class SyncEventExport {

    /** The most bytes that a descriptor has; those of known SDKs have less than a thousand. */
    public static final int MAX_DESCRIPTOR_LENGTH = ExportFrame.MAX_DESCRIPTOR_LENGTH;

    /** Its field is the number of the kind (4 bytes). */
    private static final ExportFrame FRAME = new ExportFrame(0xd0ca_e802, "a sync event", 4);

    private final Kind kind;
    private final byte[] descriptor;

    /** Uses of an exported event. */
    public enum Kind {
        /** From the other side of the PCI bus: {@link SyncEvent#fromExport}. */
        PCI(0),
        /** By operations of RDMA: {@link RemoteSyncEvent}. */
        RDMA(1);

        /** In bytes. */
        private final int number;

        Kind(int number) {
            this.number = number;
        }

        private static Kind ofNumber(int number) {
            for (Kind kind : values()) {
                if (kind.number == number) {
                    return kind;
                }
            }
            throw FRAME.damaged("there is no kind " + Integer.toUnsignedString(number));
        }
    }

    private SyncEventExport(Kind kind, byte[] descriptor) {
        this.kind = kind;
        if (descriptor.length < 1 || descriptor.length > MAX_DESCRIPTOR_LENGTH) {
            throw new IllegalArgumentException("The descriptor of a sync event has 1 to " + MAX_DESCRIPTOR_LENGTH
                    + " bytes, and not " + descriptor.length);
        }
        this.descriptor = descriptor;
    }

    /**
     * A descriptor that came by itself.
     *
     * @param descriptor of 1 to 65536 bytes
     * @throws IllegalArgumentException if it is empty, or longer
     */
    public static SyncEventExport of(Kind kind, byte[] descriptor) {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(descriptor, "descriptor");
        return new SyncEventExport(kind, descriptor.clone());
    }

    /**
     * Reads what {@link #toBytes()} gave.
     *
     * @throws IllegalArgumentException if the bytes are anything else, damaged, or of a newer version
     */
    public static SyncEventExport parse(byte[] bytes) {
        Objects.requireNonNull(bytes, "bytes");
        return parse(ByteBuffer.wrap(bytes));
    }

    /**
     * Reads what {@link #toBytes()} gave from all that remains of a buffer, whose position does not change.
     *
     * @throws IllegalArgumentException if the bytes are anything else, damaged, or of a newer version
     */
    public static SyncEventExport parse(ByteBuffer bytes) {
        Objects.requireNonNull(bytes, "bytes");
        return FRAME.decode(
                bytes, (fields, descriptor) -> new SyncEventExport(Kind.ofNumber(fields.getInt()), descriptor));
    }

    /**
     * Reads a file that {@link #save} wrote.
     *
     * @throws IOException if it cannot be read, or holds anything else; the message names the file
     */
    public static SyncEventExport load(Path file) throws IOException {
        Objects.requireNonNull(file, "file");
        return ExportFiles.load(file, FRAME, SyncEventExport::parse);
    }

    /**
     * Reads a file with a descriptor and nothing else, as {@link #saveDescriptor} or a program in C wrote it.
     *
     * @param kind for what use it was made
     * @throws IOException if it cannot be read, is empty, or is too long; the message names the file
     */
    public static SyncEventExport loadDescriptor(Kind kind, Path file) throws IOException {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(file, "file");
        return new SyncEventExport(kind, ExportFiles.loadDescriptor(file));
    }

    /** The export as bytes that {@link #parse} reads: those of the descriptor and 20 more. */
    public byte[] toBytes() {
        return FRAME.encode(fields -> fields.putInt(kind.number), descriptor);
    }

    /**
     * Writes {@link #toBytes()} to a file that only its owner can read. A file that is there is replaced at once: whoever
     * reads sees all of the old one or all of the new one.
     *
     * @param file a new one, or a regular file to replace; nothing else is, not even a symbolic link
     * @throws IOException if it cannot be written; the message names the file
     */
    public void save(Path file) throws IOException {
        Objects.requireNonNull(file, "file");
        ExportFiles.save(file, toBytes());
    }

    /**
     * Writes the descriptor and nothing else to a file that only its owner can read, as NVIDIA's samples do; otherwise as {@link
     * #save}.
     *
     * @throws IOException if it cannot be written; the message names the file
     */
    public void saveDescriptor(Path file) throws IOException {
        Objects.requireNonNull(file, "file");
        ExportFiles.save(file, descriptor);
    }

    /** For what use it is. */
    public Kind kind() {
        return kind;
    }

    /** A copy of the SDK's descriptor. */
    public byte[] descriptor() {
        return descriptor.clone();
    }

    /** Refuses an export for another use. */
    void check(Kind needed) {
        if (kind != needed) {
            throw new IllegalArgumentException(
                    "An export of a sync event for " + needed + " is needed, and this one is for " + kind);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SyncEventExport export
                && kind == export.kind
                && Arrays.equals(descriptor, export.descriptor);
    }

    @Override
    public int hashCode() {
        return Objects.hash(kind, Arrays.hashCode(descriptor));
    }

    /** Describes the export. Nothing by which the event could be used. */
    @Override
    public String toString() {
        return "Export of a sync event for " + kind + ", descriptor of " + descriptor.length + " bytes";
    }
}
