/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import io.docajava.core.internal.export.ExportFiles;
import io.docajava.core.internal.export.ExportFrame;
import io.docajava.ffi.internal.StackGuard;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;

/**
 * The export of a sync event for another process: the SDK's descriptor and the intended kind of use. It can be passed to the
 * other process in one of these forms:
 *
 * <ul>
 *   <li>in doca-java's own format, which is checked when it is read: bytes by {@link #toBytes()} and {@link #parse}, or a file by
 *       {@link #save} and {@link #load};
 *   <li>the bare descriptor, for programs in C: bytes by {@link #descriptor()} and {@link #of}, or a file, as NVIDIA's samples
 *       use it, by {@link #saveDescriptor} and {@link #loadDescriptor}.
 * </ul>
 *
 * <p>Anyone with an export can use the event: keep it secret between the two processes. Files are written so that only their
 * owner can read them.
 *
 * <p>Instances are immutable.
 */
public final class SyncEventExport {

    /** The maximum length of a descriptor in bytes. Descriptors of known SDKs have less than a thousand bytes. */
    public static final int MAX_DESCRIPTOR_LENGTH = ExportFrame.MAX_DESCRIPTOR_LENGTH;

    private final Kind kind;
    private final byte[] descriptor;

    /** The kinds of use of an exported event. */
    public enum Kind {
        /** Use from the other side of the PCI bus, by {@link SyncEvent#fromExport} or {@link SyncEventContext#fromExport}. */
        PCI(0),
        /** Use by RDMA operations, as a {@link RemoteSyncEvent}. */
        RDMA(1);

        /** The number of this kind in {@link #toBytes()}. */
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
            throw frame().damaged("there is no kind " + Integer.toUnsignedString(number));
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
     * Returns an export with a bare descriptor, such as one that a program in C has exported.
     *
     * @param kind the use that the descriptor was exported for
     * @param descriptor of 1 to 65536 bytes, which are copied
     * @return an export whose descriptor is not checked before it is imported
     * @throws IllegalArgumentException if the descriptor is empty or longer
     */
    public static SyncEventExport of(Kind kind, byte[] descriptor) {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(descriptor, "descriptor");
        return new SyncEventExport(kind, descriptor.clone());
    }

    /**
     * Parses the bytes of one export, as {@link #toBytes()} returns them.
     *
     * @param bytes of the export and nothing else
     * @return an export equal to the one that the bytes are from
     * @throws IllegalArgumentException if the bytes are not an export, damaged, or of another version of the format
     */
    public static SyncEventExport parse(byte[] bytes) {
        Objects.requireNonNull(bytes, "bytes");
        return parse(ByteBuffer.wrap(bytes));
    }

    /**
     * Parses the bytes of one export, as {@link #toBytes()} returns them, from a buffer.
     *
     * @param bytes whose remaining bytes are the export and nothing else; its position does not change
     * @return an export equal to the one that the bytes are from
     * @throws IllegalArgumentException if the bytes are not an export, damaged, or of another version of the format
     */
    public static SyncEventExport parse(ByteBuffer bytes) {
        Objects.requireNonNull(bytes, "bytes");
        StackGuard.check();
        return frame().decode(
                        bytes, (fields, descriptor) -> new SyncEventExport(Kind.ofNumber(fields.getInt()), descriptor));
    }

    /**
     * Reads a file that {@link #save} wrote.
     *
     * @param file written by this or another process
     * @return an export equal to the one that was saved
     * @throws IOException if the file cannot be read, or is not a file of {@code save}; the message names the file
     */
    public static SyncEventExport load(Path file) throws IOException {
        Objects.requireNonNull(file, "file");
        return ExportFiles.load(file, frame(), SyncEventExport::parse);
    }

    /**
     * Reads a file with a bare descriptor, as {@link #saveDescriptor} or a program in C writes it.
     *
     * @param kind the use that the descriptor was exported for
     * @param file of 1 to 65536 bytes
     * @return an export whose descriptor is not checked before it is imported
     * @throws IOException if the file cannot be read, is empty, or is too long; the message names the file
     */
    public static SyncEventExport loadDescriptor(Kind kind, Path file) throws IOException {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(file, "file");
        return new SyncEventExport(kind, ExportFiles.loadDescriptor(file));
    }

    /** {@return a new array with the export in the format that {@link #parse} reads, 20 bytes longer than the descriptor} */
    public byte[] toBytes() {
        return frame().encode(fields -> fields.putInt(kind.number), descriptor);
    }

    /**
     * Writes {@link #toBytes()} to a file that only its owner can read. An existing file is replaced atomically: a reader gets the
     * whole old file or the whole new one.
     *
     * @param file a new file, or a regular file to replace; other files, such as symbolic links, are not replaced
     * @throws IOException if the file cannot be written; the message names the file
     */
    public void save(Path file) throws IOException {
        Objects.requireNonNull(file, "file");
        ExportFiles.save(file, toBytes());
    }

    /**
     * Writes the bare descriptor to a file that only its owner can read, for programs in C such as NVIDIA's samples. An existing
     * file is replaced atomically.
     *
     * @param file a new file, or a regular file to replace; other files, such as symbolic links, are not replaced
     * @throws IOException if the file cannot be written; the message names the file
     */
    public void saveDescriptor(Path file) throws IOException {
        Objects.requireNonNull(file, "file");
        ExportFiles.save(file, descriptor);
    }

    /** {@return the kind of use that the event was exported for} */
    public Kind kind() {
        return kind;
    }

    /** {@return a copy of the SDK's descriptor, of 1 to {@value #MAX_DESCRIPTOR_LENGTH} bytes} */
    public byte[] descriptor() {
        return descriptor.clone();
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

    /** {@return the kind and the length of the descriptor, without its secret bytes} */
    @Override
    public String toString() {
        return "Export of a sync event for " + kind + ", descriptor of " + descriptor.length + " bytes";
    }

    /** Returns the format, whose only field is the number of the kind (4 bytes). */
    private static ExportFrame frame() {
        return new ExportFrame(0xd0ca_e802, "a sync event", 4, "SyncEventExport.of");
    }
}
