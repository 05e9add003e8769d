/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import io.docajava.core.internal.export.ExportFiles;
import io.docajava.core.internal.export.ExportFrame;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What another process needs to reach the memory of an {@link Mmap}: the SDK's descriptor, and where the memory is in the
 * process that owns it. Made by {@link Mmap#exportPci} or {@link Mmap#exportRdma}, used by {@link Mmap#fromExport}, and
 * carried from one process to the other in one of three forms:
 *
 * <ul>
 *   <li>bytes of doca-java's own, checked when they are read: {@link #toBytes()} and {@link #parse}, and the same in a file:
 *       {@link #save} and {@link #load};
 *   <li>the files of NVIDIA's samples, for programs in C: the two of DMA by {@link #saveTo} and {@link #readFrom}, and the one
 *       of RDMA by {@link #saveDescriptor} and {@link #loadDescriptor};
 *   <li>the parts by themselves, for any other protocol: {@link #descriptor()}, {@link #address()}, {@link #length()} and
 *       {@link #of}.
 * </ul>
 *
 * <p>Whoever has an export can reach the memory: it is a secret of the two processes. Files are readable by their owner only.
 *
 * <p>Immutable.
 */
public final class MmapExport {

    /** The most bytes that a descriptor has; those of known SDKs have less than a thousand. */
    public static final int MAX_DESCRIPTOR_LENGTH = ExportFrame.MAX_DESCRIPTOR_LENGTH;

    /** Its fields are the access or -1 (4 bytes), the address (8), and the length (8). */
    private static final ExportFrame FRAME = new ExportFrame(0xd0ca_e801, "an Mmap", 4 + 8 + 8);

    private static final int NO_ACCESS = -1;

    private final byte[] descriptor;
    private final long address;
    private final long length;
    private final @Nullable Access access;

    private MmapExport(byte[] descriptor, long address, long length, @Nullable Access access) {
        checkDescriptor(descriptor);
        if (length < 1) {
            throw new IllegalArgumentException("The memory of an export has 1 to " + Long.MAX_VALUE + " bytes, and not "
                    + Long.toUnsignedString(length));
        }
        if (Long.compareUnsigned(address + length, address) < 0) {
            throw new IllegalArgumentException(
                    "The memory of an export ends within 64 bits of address, and not so " + range(address, length));
        }
        this.descriptor = descriptor;
        this.address = address;
        this.length = length;
        this.access = access;
    }

    static void checkDescriptor(byte[] descriptor) {
        if (descriptor.length < 1 || descriptor.length > MAX_DESCRIPTOR_LENGTH) {
            throw new IllegalArgumentException("The descriptor of an export has 1 to " + MAX_DESCRIPTOR_LENGTH
                    + " bytes, and not " + descriptor.length);
        }
    }

    static MmapExport of(byte[] descriptor, long address, long length, @Nullable Access access) {
        return new MmapExport(descriptor.clone(), address, length, access);
    }

    /**
     * An export that came in parts, without the exporter's access.
     *
     * @param descriptor of 1 to 65536 bytes
     * @param address of the first byte in the process that owns the memory, unsigned
     * @param length of the memory in bytes, at least 1
     * @throws IllegalArgumentException if one of them is out of its range, or the memory ends beyond 64 bits of address
     */
    public static MmapExport of(byte[] descriptor, long address, long length) {
        Objects.requireNonNull(descriptor, "descriptor");
        return of(descriptor, address, length, null);
    }

    /**
     * Reads what {@link #toBytes()} gave.
     *
     * @throws IllegalArgumentException if the bytes are anything else, damaged, or of a newer version
     */
    public static MmapExport parse(byte[] bytes) {
        Objects.requireNonNull(bytes, "bytes");
        return parse(ByteBuffer.wrap(bytes));
    }

    /**
     * Reads what {@link #toBytes()} gave from all that remains of a buffer, whose position does not change.
     *
     * @throws IllegalArgumentException if the bytes are anything else, damaged, or of a newer version
     */
    public static MmapExport parse(ByteBuffer bytes) {
        Objects.requireNonNull(bytes, "bytes");
        return FRAME.decode(bytes, MmapExport::read);
    }

    private static MmapExport read(ByteBuffer fields, byte[] descriptor) {
        int flags = fields.getInt();
        long address = fields.getLong();
        long length = fields.getLong();
        return new MmapExport(descriptor, address, length, flags == NO_ACCESS ? null : Access.ofFlags(flags));
    }

    /**
     * Reads a file that {@link #save} wrote.
     *
     * @throws IOException if it cannot be read, or holds anything else; the message names the file
     */
    public static MmapExport load(Path file) throws IOException {
        Objects.requireNonNull(file, "file");
        return ExportFiles.load(file, FRAME, MmapExport::parse);
    }

    /**
     * Reads the two files of NVIDIA's samples, as {@link #saveTo} or a program in C wrote them.
     *
     * @param descriptor the file with the descriptor and nothing else
     * @param bufferInfo the file with the address in its first line and the length in its second one, each a number as C
     *     reads it: decimal, hexadecimal after {@code 0x}, or octal after {@code 0}
     * @throws IOException if one of them cannot be read, holds anything else, or changes meanwhile; the message names it
     */
    public static MmapExport readFrom(Path descriptor, Path bufferInfo) throws IOException {
        Objects.requireNonNull(descriptor, "descriptor");
        Objects.requireNonNull(bufferInfo, "bufferInfo");
        return ExportPair.load(descriptor, bufferInfo);
    }

    /** The export as bytes that {@link #parse} reads: those of the descriptor and 36 more. */
    public byte[] toBytes() {
        int flags = access == null ? NO_ACCESS : access.flags();
        return FRAME.encode(fields -> fields.putInt(flags).putLong(address).putLong(length), descriptor);
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
     * Writes the two files of NVIDIA's samples, which only their owner can read. Old ones are replaced, and the second is
     * not there before the first is complete. The samples read no more than 512 bytes of a descriptor, which all known
     * SDKs keep to. Only regular files are replaced, and no symbolic links.
     *
     * @param descriptor gets the descriptor and nothing else
     * @param bufferInfo gets the address and the length, each in decimal digits in a line of its own
     * @throws IllegalArgumentException if both are the same file
     * @throws IOException if they cannot be written; the message names the one
     */
    public void saveTo(Path descriptor, Path bufferInfo) throws IOException {
        Objects.requireNonNull(descriptor, "descriptor");
        Objects.requireNonNull(bufferInfo, "bufferInfo");
        ExportPair.save(this, descriptor, bufferInfo);
    }

    /**
     * Reads a file with a descriptor and nothing else, as {@link #saveDescriptor} or a program in C wrote it, for {@link
     * Mmap#fromDescriptor}.
     *
     * @throws IOException if it cannot be read, is empty, or is too long; the message names the file
     */
    public static byte[] loadDescriptor(Path file) throws IOException {
        Objects.requireNonNull(file, "file");
        return ExportFiles.loadDescriptor(file);
    }

    /**
     * Writes the descriptor and nothing else to a file that only its owner can read, as NVIDIA's RDMA samples do. A file that
     * is there is replaced at once.
     *
     * @param file a new one, or a regular file to replace; nothing else is, not even a symbolic link
     * @throws IOException if it cannot be written; the message names the file
     */
    public void saveDescriptor(Path file) throws IOException {
        Objects.requireNonNull(file, "file");
        ExportFiles.save(file, descriptor);
    }

    /** A copy of the SDK's descriptor. */
    public byte[] descriptor() {
        return descriptor.clone();
    }

    /** The address of the first byte in the process that owns the memory, unsigned. */
    public long address() {
        return address;
    }

    /** The size of the memory in bytes. */
    public long length() {
        return length;
    }

    /** The access that the exporter grants by it: over the PCI bus, or by RDMA; empty where its form does not say. */
    public Optional<Access> access() {
        return Optional.ofNullable(access);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MmapExport export
                && address == export.address
                && length == export.length
                && Arrays.equals(descriptor, export.descriptor)
                && Objects.equals(access, export.access);
    }

    @Override
    public int hashCode() {
        return Objects.hash(address, length, Arrays.hashCode(descriptor), access);
    }

    /** Describes the export. Nothing by which the memory could be reached. */
    @Override
    public String toString() {
        return "Export of " + range(address, length) + " with access " + (access == null ? "unknown" : access)
                + ", descriptor of " + descriptor.length + " bytes";
    }

    private static String range(long address, long length) {
        return length + " bytes at 0x" + Long.toHexString(address);
    }
}
