/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import io.docajava.core.internal.export.ExportFiles;
import io.docajava.core.internal.export.ExportFrame;
import io.docajava.ffi.internal.StackGuard;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An export, with which another process can access the memory of an {@link Mmap}. It consists of the SDK's descriptor, and the
 * address and length of the memory in the process that owns it. {@link Mmap#exportPci} and {@link Mmap#exportRdma} create an
 * export, and {@link Mmap#fromExport} imports it. It can be passed to the other process in one of three forms:
 *
 * <ul>
 *   <li>bytes in doca-java's own format, which is checked when it is read: {@link #toBytes()} and {@link #parse}, or in a file:
 *       {@link #save} and {@link #load};
 *   <li>the files of NVIDIA's samples, for programs in C: the two files of the DMA samples by {@link #save(Path, Path)} and {@link
 *       #load(Path, Path)}, and the file of the RDMA samples by {@link #saveDescriptor} and {@link #loadDescriptor};
 *   <li>its parts, for any other protocol: {@link #descriptor()}, {@link #address()}, {@link #length()} and {@link #of}.
 * </ul>
 *
 * <p>Anyone with an export can access the memory: keep it secret between the two processes. Files are written so that only their
 * owner can read them.
 *
 * <p>Instances are immutable.
 */
public final class MmapExport {

    /** The maximum length of a descriptor in bytes. Descriptors of known SDKs have less than a thousand bytes. */
    public static final int MAX_DESCRIPTOR_LENGTH = ExportFrame.MAX_DESCRIPTOR_LENGTH;

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

    /**
     * Creates an export from its parts, without the exporter's access.
     *
     * @param descriptor of 1 to 65536 bytes, which are copied
     * @param address of the first byte in the process that owns the memory, unsigned
     * @param length of the memory in bytes, at least 1
     * @return the export, whose {@link #access()} is empty
     * @throws IllegalArgumentException if one of them is out of its range, or the memory exceeds the range of 64-bit addresses
     */
    public static MmapExport of(byte[] descriptor, long address, long length) {
        Objects.requireNonNull(descriptor, "descriptor");
        StackGuard.check();
        return new MmapExport(descriptor.clone(), address, length, null);
    }

    /**
     * Creates an export from its parts.
     *
     * @param descriptor of 1 to 65536 bytes, which are copied
     * @param address of the first byte in the process that owns the memory, unsigned
     * @param length of the memory in bytes, at least 1
     * @param access that the exporter grants
     * @return the export
     * @throws IllegalArgumentException for the same reasons as {@link #of(byte[], long, long)}
     */
    public static MmapExport of(byte[] descriptor, long address, long length, Access access) {
        Objects.requireNonNull(descriptor, "descriptor");
        Objects.requireNonNull(access, "access");
        StackGuard.check();
        return new MmapExport(descriptor.clone(), address, length, access);
    }

    /**
     * Parses the bytes of one export, as {@link #toBytes()} returns them. {@link Mmap#fromDescriptor} imports a bare descriptor.
     *
     * @param bytes one export and nothing else
     * @return the export, equal to the one that was written
     * @throws IllegalArgumentException if the bytes are anything else, damaged, or of a newer version
     */
    public static MmapExport parse(byte[] bytes) {
        Objects.requireNonNull(bytes, "bytes");
        return parse(ByteBuffer.wrap(bytes));
    }

    /**
     * Parses the bytes of one export, as {@link #toBytes()} returns them, from a buffer.
     *
     * @param bytes whose remaining bytes are one export and nothing else; its position does not change
     * @return the export, equal to the one that was written
     * @throws IllegalArgumentException if the bytes are anything else, damaged, or of a newer version
     */
    public static MmapExport parse(ByteBuffer bytes) {
        Objects.requireNonNull(bytes, "bytes");
        StackGuard.check();
        return frame().decode(bytes, MmapExport::read);
    }

    private static MmapExport read(ByteBuffer fields, byte[] descriptor) {
        int flags = fields.getInt();
        long address = fields.getLong();
        long length = fields.getLong();
        return new MmapExport(descriptor, address, length, flags == NO_ACCESS ? null : Access.ofFlags(flags));
    }

    /**
     * Reads a file that {@link #save(Path)} wrote.
     *
     * @param file the file to read
     * @return the export, equal to the one that was saved
     * @throws IOException if the file cannot be read, or contains anything else; the message names the file
     */
    public static MmapExport load(Path file) throws IOException {
        Objects.requireNonNull(file, "file");
        return ExportFiles.load(file, frame(), MmapExport::parse);
    }

    /**
     * Reads the two files of NVIDIA's samples, as {@link #save(Path, Path)} or a program in C wrote them.
     *
     * @param descriptor the file with the descriptor and nothing else
     * @param bufferInfo the file with the address in its first line and the length in its second line, each a number in the
     *     notation of C: decimal, hexadecimal after {@code 0x}, or octal after {@code 0}
     * @return the export, whose {@link #access()} is empty
     * @throws IOException if a file cannot be read, contains anything else, or changes meanwhile; the message names it
     */
    public static MmapExport load(Path descriptor, Path bufferInfo) throws IOException {
        Objects.requireNonNull(descriptor, "descriptor");
        Objects.requireNonNull(bufferInfo, "bufferInfo");
        return ExportPair.load(descriptor, bufferInfo);
    }

    /** {@return a new array with the export in the format that {@link #parse} reads, 36 bytes longer than the descriptor} */
    public byte[] toBytes() {
        int flags = access == null ? NO_ACCESS : access.flags();
        return frame().encode(fields -> fields.putInt(flags).putLong(address).putLong(length), descriptor);
    }

    /**
     * Writes {@link #toBytes()} to a file that only its owner can read. An existing file is replaced atomically: a reader gets
     * the whole old file or the whole new one.
     *
     * @param file a new file, or a regular file to replace; other files, such as symbolic links, are not replaced
     * @throws IOException if the file cannot be written; the message names the file
     */
    public void save(Path file) throws IOException {
        Objects.requireNonNull(file, "file");
        ExportFiles.save(file, toBytes());
    }

    /**
     * Writes the two files of NVIDIA's samples, which only their owner can read. Existing regular files are replaced, but
     * symbolic links are not. The second file does not exist before the first one is complete. The samples read at most 512 bytes
     * of a descriptor, which is enough for all known SDKs.
     *
     * @param descriptor gets the descriptor and nothing else
     * @param bufferInfo gets the address and the length, each as a decimal number in a line of its own
     * @throws IllegalArgumentException if both are the same file
     * @throws IOException if they cannot be written; the message names the file
     */
    public void save(Path descriptor, Path bufferInfo) throws IOException {
        Objects.requireNonNull(descriptor, "descriptor");
        Objects.requireNonNull(bufferInfo, "bufferInfo");
        ExportPair.save(this, descriptor, bufferInfo);
    }

    /**
     * Reads a file with only a descriptor, as {@link #saveDescriptor} or a program in C wrote it, for {@link Mmap#fromDescriptor}.
     *
     * @param file the file to read
     * @return the descriptor, of 1 to 65536 bytes
     * @throws IOException if the file cannot be read, is empty, or is too long; the message names the file
     */
    public static byte[] loadDescriptor(Path file) throws IOException {
        Objects.requireNonNull(file, "file");
        return ExportFiles.loadDescriptor(file);
    }

    /**
     * Writes the bare descriptor to a file that only its owner can read, as NVIDIA's RDMA samples do. An existing file is
     * replaced atomically.
     *
     * @param file a new file, or a regular file to replace; other files, such as symbolic links, are not replaced
     * @throws IOException if the file cannot be written; the message names the file
     */
    public void saveDescriptor(Path file) throws IOException {
        Objects.requireNonNull(file, "file");
        ExportFiles.save(file, descriptor);
    }

    /** {@return a copy of the SDK's descriptor} */
    public byte[] descriptor() {
        return descriptor.clone();
    }

    /** {@return the address of the first byte in the process that owns the memory, unsigned} */
    public long address() {
        return address;
    }

    /** {@return the length of the memory in bytes, at least 1} */
    public long length() {
        return length;
    }

    /** {@return the access that the exporter grants, over the PCI bus or by RDMA; empty if the export was passed without it} */
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

    /** Returns the range and the access, but not the bytes of the descriptor, which would give access to the memory. */
    @Override
    public String toString() {
        return "Export of " + range(address, length) + " with access " + (access == null ? "unknown" : access)
                + ", descriptor of " + descriptor.length + " bytes";
    }

    private static String range(long address, long length) {
        return length + " bytes at 0x" + Long.toHexString(address);
    }

    /** Returns the format, whose fields are the access or -1 (4 bytes), the address (8), and the length (8). */
    private static ExportFrame frame() {
        return new ExportFrame(0xd0ca_e801, "an Mmap", 4 + 8 + 8, "Mmap.fromDescriptor");
    }
}
