/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import io.docajava.DocaException;
import io.docajava.core.device.Device;
import io.docajava.core.internal.memory.MmapImpl;
import io.docajava.ffi.internal.StackGuard;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;

/**
 * A memory map: a range of memory that devices can access ({@code struct doca_mmap}). The memory belongs to the map ({@link
 * #allocate}), to the caller ({@link #register}), or to another process that has exported it ({@link #fromExport}). {@link
 * #builder()} has more options.
 *
 * <p>To share memory with a process on the other side of the PCI bus, its owner maps the memory with {@link Access#PCI_READ_ONLY}
 * or {@link Access#PCI_READ_WRITE}, exports it by {@link #exportPci}, passes the {@link MmapExport} to the other process by any
 * means, and keeps the map open. The other process imports the memory and copies from or to it with the DMA engine of its device.
 * Memory is shared with a peer on the network in the same way: {@link Access#RDMA_READ}, {@link Access#RDMA_WRITE} and {@link
 * Access#RDMA_ATOMIC} permit access, {@link #exportRdma} exports the memory, and operations of an RDMA connection use it.
 *
 * <p>Safe for use by many threads. Access to the bytes is not synchronised with devices or other threads.
 */
public sealed interface Mmap extends AutoCloseable permits MmapImpl {

    /** {@return a new builder of maps, for several devices or huge pages; it has no device yet} */
    static MmapBuilder builder() {
        StackGuard.check();
        return new MmapBuilder();
    }

    /**
     * Allocates memory and maps it for a device, as {@link MmapBuilder#allocate} does.
     *
     * @param device that can access the memory; it cannot be closed before the map
     * @param bytes the size of the memory, at least 1
     * @param access the permissions for the memory
     * @return the map, which owns the memory; the caller closes it
     * @throws IllegalArgumentException if the size is not positive, or RDMA_WRITE or RDMA_ATOMIC comes without LOCAL_READ_WRITE
     * @throws IllegalStateException if the device is closed
     * @throws OutOfMemoryError if there is not enough memory
     * @throws DocaException if the SDK refuses
     */
    static Mmap allocate(Device device, long bytes, Access access) {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(access, "access");
        return builder().device(device).access(access).allocate(bytes);
    }

    /**
     * Maps caller-owned memory that only the garbage collector can free, as {@link MmapBuilder#register} does.
     *
     * @param device that can access the memory; it cannot be closed before the map
     * @param memory a native segment of the global or an automatic arena
     * @param access the permissions for the memory
     * @return the map, which refers to the memory until the caller closes it
     * @throws IllegalArgumentException for the same reasons as {@link MmapBuilder#access} and {@link MmapBuilder#register}
     * @throws IllegalStateException if the device is closed
     * @throws DocaException for the same reasons as {@link MmapBuilder#register}
     */
    static Mmap register(Device device, MemorySegment memory, Access access) {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(memory, "memory");
        Objects.requireNonNull(access, "access");
        return builder().device(device).access(access).register(memory);
    }

    /**
     * Maps native memory that the caller promises to keep until the map is closed, as {@link MmapBuilder#registerUnchecked} does.
     *
     * @param device that can access the memory; it cannot be closed before the map
     * @param memory a native segment with at least 1 byte that the calling thread can use
     * @param access the permissions for the memory
     * @return the map; the caller closes it before it frees the memory
     * @throws IllegalArgumentException for the same reasons as {@link MmapBuilder#access} and {@link MmapBuilder#registerUnchecked}
     * @throws IllegalStateException if the device is closed, or the memory was freed or belongs to another thread
     * @throws DocaException if the SDK refuses
     */
    static Mmap registerUnchecked(Device device, MemorySegment memory, Access access) {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(memory, "memory");
        Objects.requireNonNull(access, "access");
        return builder().device(device).access(access).registerUnchecked(memory);
    }

    /**
     * Maps memory that another process has exported ({@code doca_mmap_create_from_export}). Buffers point into it as into any
     * other map. Only devices can access the bytes: by copies if the memory was exported over the PCI bus, and by RDMA operations
     * if it was exported for RDMA. An operation fails with {@code IO_FAILED}, and stops its context, if the exporter has closed
     * its map, has ended, or does not permit the operation. If the export contains the exporter's permissions ({@link
     * MmapExport#access()}), operations that they do not permit are refused when they are submitted.
     *
     * @param device on the other side of the PCI bus, or one that can reach the exporter by RDMA
     * @param export of the other process
     * @return the map; the caller closes it, which leaves the exporter's memory as it is
     * @throws IllegalArgumentException if the range of the export is not inside the memory of its descriptor
     * @throws IllegalStateException if the device is closed
     * @throws DocaException if the SDK refuses, for example a descriptor that is damaged or of a map that is closed
     */
    static Mmap fromExport(Device device, MmapExport export) {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(export, "export");
        return MmapImpl.fromExport(device, export);
    }

    /**
     * Maps the whole memory of a bare descriptor, such as NVIDIA's RDMA samples write to a file ({@code
     * doca_mmap_create_from_export}, {@code doca_mmap_get_memrange}). The exporter's permissions are not known.
     *
     * @param device on the other side of the PCI bus, or one that can reach the exporter by RDMA
     * @param descriptor of 1 to 65536 bytes ({@link MmapExport#descriptor()})
     * @return the map, which has the size of the exported memory; the caller closes it
     * @throws IllegalArgumentException if the descriptor is empty or longer
     * @throws IllegalStateException if the device is closed
     * @throws DocaException if the SDK refuses, for example a descriptor that is damaged or of a map that is closed
     */
    static Mmap fromDescriptor(Device device, byte[] descriptor) {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(descriptor, "descriptor");
        byte[] own = descriptor.clone();
        MmapExport.checkDescriptor(own);
        return MmapImpl.fromDescriptor(device, own);
    }

    /**
     * Exports this memory to processes on the other side of the PCI bus ({@code doca_mmap_export_pci}). Any process with the
     * export can use the memory with this map's access until the map is closed. Further calls return equal exports.
     *
     * @param device one of the map's devices
     * @return the export, for {@link #fromExport} in the other process
     * @throws IllegalArgumentException if the map does not have the device, or has neither PCI_READ_ONLY nor PCI_READ_WRITE
     * @throws IllegalStateException if the map or the device is closed, or the memory belongs to another process or was freed
     * @throws DocaException if the SDK refuses, for example for a device without that capability
     */
    MmapExport exportPci(Device device);

    /**
     * Exports this memory to RDMA peers ({@code doca_mmap_export_rdma}). A peer needs the export and a connection to a context of
     * this process. It can then execute the operations that both the context and RDMA_READ, RDMA_WRITE and RDMA_ATOMIC of this
     * map permit, until the map is closed. Further calls return equal exports.
     *
     * @param device the device of the RDMA context, which must be one of the map's devices
     * @return the export, for {@link #fromExport} in the peer's process
     * @throws IllegalArgumentException if the map does not have the device, or has none of RDMA_READ, RDMA_WRITE and RDMA_ATOMIC
     * @throws IllegalStateException if the map or the device is closed, or the memory belongs to another process or was freed
     * @throws DocaException if the SDK refuses, for example for a device without that capability
     */
    MmapExport exportRdma(Device device);

    /** {@return the devices that can access the memory, in the order in which they were added; unmodifiable} */
    List<Device> devices();

    /** {@return whether the memory belongs to another process} */
    boolean isImported();

    /**
     * {@return the memory: the segment that the map allocated, or the one that was registered}
     *
     * <p>Closing the map frees memory that it allocated; every use of the segment then throws an {@link IllegalStateException}.
     *
     * @throws IllegalStateException if the memory belongs to another process
     */
    MemorySegment segment();

    /**
     * {@return a range of the memory, for operations of devices} Any thread may call, also after the map was closed.
     *
     * @param offset of its first byte
     * @param length in bytes
     * @throws IndexOutOfBoundsException if the range is not inside the memory
     */
    MapRange range(long offset, long length);

    /** {@return the range of all of the memory} */
    MapRange all();

    /** {@return the size of the memory in bytes} */
    long byteSize();

    /**
     * {@return the permissions for the memory; for an imported map the permissions that its export contains}
     *
     * <p>If the export contains no permissions, PCI_READ_WRITE, RDMA_READ, RDMA_WRITE and RDMA_ATOMIC are assumed, and the
     * exporter may permit less.
     */
    Access access();

    /**
     * Destroys the map and frees the memory that it allocated ({@code doca_mmap_destroy}). A second call does nothing.
     *
     * <p>Contexts that have used ranges of the map give back their buffers over it first, each on the thread of its engine. If that
     * is another thread, this waits for each of them for up to {@link
     * io.docajava.core.context.ContextBuilder#closeTimeout closeTimeout}. The thread of a {@link io.docajava.core.progress.ProgressLoop}
     * cannot wait for another engine, so there it throws an exception.
     *
     * <p>Processes that have imported the memory lose access: their later copies and RDMA operations fail with {@code IO_FAILED}
     * and stop their context. Close such imports first.
     *
     * @throws IllegalStateException if buffers point into the map, or operations that are in flight or wait use it, which then
     *     stays open; or if another thread uses its memory in a native call or an I/O operation, in which case the map has to be
     *     closed again afterwards to free the memory
     * @throws DocaException if the SDK refuses; the map stays open
     */
    @Override
    void close();
}
