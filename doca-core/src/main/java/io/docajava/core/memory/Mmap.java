/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import io.docajava.DocaException;
import io.docajava.core.device.Device;
import io.docajava.core.internal.Handles;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.device.DeviceImpl;
import io.docajava.core.internal.jfr.Jfr;
import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.core.internal.memory.MapState;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.internal.StackGuard;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

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
public final class Mmap implements AutoCloseable {

    private final List<Device> devices;
    private final Access access;
    /** The memory of the map; null if it belongs to another process. */
    private final @Nullable MemorySegment segment;

    /** The arena of memory that the map has allocated, otherwise null. */
    private final @Nullable Arena arena;

    private final Resource resource;
    private final MapState state;

    /** Guards exports of the native map and calls for its key. */
    private final Object exporting = new Object();

    /**
     * True if the native map is destroyed and only the memory remains to be freed. Guarded by {@link #exporting}; only the closing
     * thread changes it, and reads it without the lock.
     */
    private boolean destroyed;

    /** Opens the resource and then creates the native map by {@code start}. */
    Mmap(
            String description,
            List<Device> devices,
            Access access,
            @Nullable MemorySegment segment,
            @Nullable Arena arena,
            Function<Resource, MapState> start) {
        Handles.setMaps(Mmap::state);
        this.devices = devices;
        this.access = access;
        this.segment = segment;
        this.arena = arena;
        this.resource = Resource.open(
                this, description, devices.stream().map(DeviceImpl::resource).toArray(Resource[]::new));
        try {
            this.state = start.apply(resource);
        } catch (Throwable failure) {
            resource.discard();
            throw failure;
        }
        if (segment != null && arena == null) {
            Reachable.KEPT.add(state);
        }
        addRegistered(state.length());
        Jfr.memoryRegistered(description, state.length());
    }

    /** {@return a new builder of maps, for several devices or huge pages; it has no device yet} */
    public static MmapBuilder builder() {
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
    public static Mmap allocate(Device device, long bytes, Access access) {
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
    public static Mmap register(Device device, MemorySegment memory, Access access) {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(memory, "memory");
        Objects.requireNonNull(access, "access");
        return builder().device(device).access(access).register(memory);
    }

    /**
     * Maps native memory that the caller promises to keep until the map is closed, as {@link MmapBuilder#registerUnowned} does.
     *
     * @param device that can access the memory; it cannot be closed before the map
     * @param memory a native segment with at least 1 byte that the calling thread can use
     * @param access the permissions for the memory
     * @return the map; the caller closes it before it frees the memory
     * @throws IllegalArgumentException for the same reasons as {@link MmapBuilder#access} and {@link MmapBuilder#registerUnowned}
     * @throws IllegalStateException if the device is closed, or the memory was freed or belongs to another thread
     * @throws DocaException if the SDK refuses
     */
    public static Mmap registerUnowned(Device device, MemorySegment memory, Access access) {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(memory, "memory");
        Objects.requireNonNull(access, "access");
        return builder().device(device).access(access).registerUnowned(memory);
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
    public static Mmap fromExport(Device device, MmapExport export) {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(export, "export");
        return imported(device, export.length() + " bytes", export.descriptor(), export);
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
    public static Mmap fromDescriptor(Device device, byte[] descriptor) {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(descriptor, "descriptor");
        byte[] own = descriptor.clone();
        MmapExport.checkDescriptor(own);
        return imported(device, "a descriptor", own, null);
    }

    /** Imports the range of an export, or the whole memory of the descriptor if there is none. */
    private static Mmap imported(Device device, String what, byte[] descriptor, @Nullable MmapExport export) {
        StackGuard.check();
        Access granted = export == null ? Access.ANY_EXPORT : export.access().orElse(Access.ANY_EXPORT);
        return new Mmap(
                "Mmap of " + what + " imported on " + device.info().displayName(),
                List.of(device),
                granted,
                null,
                null,
                resource -> openImport(DeviceImpl.address(device), descriptor, export, granted, resource));
    }

    private static MapState openImport(
            long device, byte[] descriptor, @Nullable MmapExport export, Access granted, Resource resource) {
        String attempt = "importing " + resource.description();
        NativeMap map = NativeMap.fromExport(device, descriptor, attempt);
        try {
            NativeMap.Range range = export == null ? map.range(attempt) : rangeOf(export, map, attempt);
            return MapState.imported(
                    map.address(), range.address(), range.length(), descriptor, granted.grants(), device, resource);
        } catch (Throwable failure) {
            map.undo(failure);
            throw failure;
        }
    }

    /** Returns the range of an export, which is checked if the SDK knows the range of the descriptor. */
    private static NativeMap.Range rangeOf(MmapExport export, NativeMap map, String attempt) {
        map.knownRange(attempt)
                .filter(range -> !range.contains(export.address(), export.length()))
                .ifPresent(range -> {
                    throw new IllegalArgumentException(export + " is not inside of the memory of its descriptor: "
                            + range.length() + " bytes at 0x" + Long.toHexString(range.address()));
                });
        return new NativeMap.Range(export.address(), export.length());
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
    public MmapExport exportPci(Device device) {
        Objects.requireNonNull(device, "device");
        StackGuard.check();
        checkExport(device, access.isPciExportable(), "PCI_READ_ONLY or PCI_READ_WRITE");
        String attempt = "exporting " + this + " to " + device.info().displayName();
        return export(device, DocaCommon::doca_mmap_export_pci, "doca_mmap_export_pci", attempt, access.overPci());
    }

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
    public MmapExport exportRdma(Device device) {
        Objects.requireNonNull(device, "device");
        StackGuard.check();
        checkExport(device, access.isRdmaExportable(), "RDMA_READ, RDMA_WRITE or RDMA_ATOMIC");
        String attempt = "exporting " + this + " for RDMA on " + device.info().displayName();
        return export(device, DocaCommon::doca_mmap_export_rdma, "doca_mmap_export_rdma", attempt, access.overRdma());
    }

    private MmapExport export(
            Device device, NativeMap.ExportFunction function, String name, String attempt, Access granted) {
        synchronized (exporting) {
            checkMapped();
            byte[] descriptor = nativeMap().export(function, name, DeviceImpl.address(device), attempt);
            Jfr.exported(resource.description());
            return MmapExport.of(descriptor, state.base(), state.length(), granted);
        }
    }

    private NativeMap nativeMap() {
        return new NativeMap(state.pointer());
    }

    /** Returns the memory key of a device for this memory; see {@link RdmaBridge}. */
    int mkey(Device device) {
        StackGuard.check();
        long dev = DeviceImpl.address(device);
        resource.checkOpen();
        state.checkAlive();
        if (!state.isRegisteredWith(dev)) {
            throw new IllegalArgumentException(
                    this + " is not registered with " + device.info().displayName());
        }
        synchronized (exporting) {
            checkMapped();
            return nativeMap().mkey(dev, "reading the mkey of " + this);
        }
    }

    /** Throws if the native map does not exist any more, also after a close that could not free the memory. */
    private void checkMapped() {
        resource.checkOpen();
        if (destroyed) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    private void checkExport(Device device, boolean isExportable, String needed) {
        resource.checkOpen();
        state.checkAlive();
        if (isImported()) {
            throw new IllegalStateException(this + " cannot be exported: the memory belongs to another process");
        }
        if (!isExportable) {
            throw new IllegalArgumentException(
                    this + " cannot be exported: its access is " + access + ", and it needs " + needed);
        }
        if (!state.isRegisteredWith(DeviceImpl.address(device))) {
            throw new IllegalArgumentException(
                    this + " cannot be exported to " + device.info().displayName() + ", which is none of its devices");
        }
    }

    /** {@return the devices that can access the memory, in the order in which they were added; unmodifiable} */
    public List<Device> devices() {
        return devices;
    }

    /** {@return whether the memory belongs to another process} */
    public boolean isImported() {
        return segment == null;
    }

    /**
     * {@return the memory: the segment that the map allocated, or the one that was registered}
     *
     * <p>Closing the map frees memory that it allocated; every use of the segment then throws an {@link IllegalStateException}.
     *
     * @throws IllegalStateException if the memory belongs to another process
     */
    public MemorySegment segment() {
        if (segment == null) {
            throw new IllegalStateException(
                    this + " has no segment: it is memory of another process, which only a device reaches; copy it");
        }
        return segment;
    }

    /**
     * {@return a range of the memory, for operations of devices} Any thread may call, also after the map was closed.
     *
     * @param offset of its first byte
     * @param length in bytes
     * @throws IndexOutOfBoundsException if the range is not inside the memory
     */
    public MapRange range(long offset, long length) {
        return new MapRange(this, offset, length);
    }

    /** {@return the range of all of the memory} */
    public MapRange all() {
        return range(0, state.length());
    }

    /** {@return the size of the memory in bytes} */
    public long byteSize() {
        return state.length();
    }

    /**
     * {@return the permissions for the memory; for an imported map the permissions that its export contains}
     *
     * <p>If the export contains no permissions, PCI_READ_WRITE, RDMA_READ, RDMA_WRITE and RDMA_ATOMIC are assumed, and the
     * exporter may permit less.
     */
    public Access access() {
        return access;
    }

    /**
     * Destroys the map and frees the memory that it allocated ({@code doca_mmap_destroy}). A second call does nothing.
     *
     * <p>Processes that have imported the memory lose access: their later copies and RDMA operations fail with {@code IO_FAILED}
     * and stop their context. Close such imports first.
     *
     * @throws IllegalStateException if buffers point into the map, or operations in flight use it, which then stays open; or if another thread uses its memory in
     *     a native call or an I/O operation, in which case the map has to be closed again afterwards to free the memory
     * @throws DocaException if the SDK refuses; the map stays open
     */
    @Override
    public void close() {
        resource.close(this::destroy);
    }

    @Override
    public String toString() {
        return resource.description();
    }

    private void addRegistered(long bytes) {
        if (!isImported()) {
            devices.forEach(device -> DeviceImpl.addRegistered(device, bytes));
        }
    }

    MapState state() {
        return state;
    }

    private void destroy() {
        // Only the closing thread changes this, and Resource lets one thread at a time close.
        if (!destroyed) {
            state.retire();
            int result;
            synchronized (exporting) {
                result = nativeMap().destroy();
                destroyed = result == 0;
            }
            if (result != 0) {
                state.revive();
            }
            Calls.check(result, "doca_mmap_destroy", "closing " + resource.description());
            Reachable.KEPT.remove(state);
            addRegistered(-state.length());
            Jfr.memoryReleased(resource.description(), state.length());
        }
        if (arena != null) {
            free(arena);
        }
    }

    private void free(Arena ownArena) {
        try {
            ownArena.close();
        } catch (IllegalStateException e) {
            throw new IllegalStateException(
                    "The memory of " + resource.description()
                            + " cannot be freed while a native call or an I/O operation uses it; close again after that",
                    e);
        }
    }

    /** Keeps caller-owned memory reachable, which a device may still use if its map is unreachable but not closed. */
    private static final class Reachable {

        static final Set<MapState> KEPT = ConcurrentHashMap.newKeySet();
    }
}
