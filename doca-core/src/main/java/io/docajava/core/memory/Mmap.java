/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import io.docajava.DocaException;
import io.docajava.core.device.Device;
import io.docajava.core.internal.Handles;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.jfr.Jfr;
import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.core.internal.memory.MapState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A range of memory that devices reach ({@code struct doca_mmap}), started and ready for buffers. Either the map owns its
 * memory ({@link #allocate}), or it is made for memory of the caller ({@link #register}), or for memory of another process
 * that has exported it ({@link #fromExport}). {@link #builder()} has more choices.
 *
 * <p>Memory crosses processes like this: the one that owns it maps it with {@link Access#PCI_READ_ONLY} or {@link
 * Access#PCI_READ_WRITE}, exports it by {@link #exportPci}, hands the {@link MmapExport} over by whatever means, and keeps
 * the map open; it need do nothing else meanwhile. The other one, on the other side of the PCI bus, imports it and copies
 * from or to it by the DMA engine of its device. A peer beyond the network reaches it in the same way: {@link
 * Access#RDMA_READ}, {@link Access#RDMA_WRITE} and {@link Access#RDMA_ATOMIC} permit it, {@link #exportRdma} exports it, and
 * the operations of an RDMA connection use it.
 *
 * <p>Safe for use by many threads; the bytes are as safe as any memory shared with a device.
 */
public final class Mmap implements AutoCloseable {

    /** Keeps the garbage collector from freeing what a device may still use, when everybody has forgotten the map. */
    private static final Set<MapState> LENT = ConcurrentHashMap.newKeySet();

    private final List<Device> devices;
    private final Access access;
    /** Null where the memory is of another process. */
    private final @Nullable MemorySegment segment;

    private final @Nullable Arena arena;
    private final Resource resource;
    private final MapState state;

    /** Guards the native map while it is exported, or asked for its key. */
    private final Object exporting = new Object();

    /** True if only the memory is left; read and written by whoever is closing. */
    private boolean destroyed;

    /**
     * A map that is made natively as soon as its life has begun.
     *
     * @param segment its memory; null where that is of another process
     * @param arena that owns the memory; null where the map does not
     * @param start makes the native map
     */
    Mmap(
            String description,
            List<Device> devices,
            Access access,
            @Nullable MemorySegment segment,
            @Nullable Arena arena,
            Function<Resource, MapState> start) {
        this.devices = devices;
        this.access = access;
        this.segment = segment;
        this.arena = arena;
        this.resource = Resource.open(
                this, description, devices.stream().map(Handles::resource).toArray(Resource[]::new));
        try {
            this.state = start.apply(resource);
        } catch (Throwable failure) {
            resource.discard();
            throw failure;
        }
        if (segment != null && arena == null) {
            LENT.add(state);
        }
        addRegistered(state.length());
        Jfr.memoryRegistered(description, state.length());
    }

    /** Configures a map: with several devices, in huge pages. */
    public static MmapBuilder builder() {
        return new MmapBuilder();
    }

    /**
     * Allocates memory and maps it for a device, as {@link MmapBuilder#allocate} does.
     *
     * @param bytes its size, at least 1
     * @param access who may do what with it
     * @throws IllegalArgumentException if the size is not positive
     * @throws IllegalStateException if the device is closed
     * @throws OutOfMemoryError if there is not that much memory
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
     * @param memory a native segment of the global or an automatic arena
     * @param access who may do what with it
     * @throws IllegalArgumentException if it is heap memory, read-only with an access that permits writes, empty, or memory that
     *     could be freed
     * @throws IllegalStateException if the device is closed
     * @throws DocaException if the SDK refuses
     */
    public static Mmap register(Device device, MemorySegment memory, Access access) {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(memory, "memory");
        Objects.requireNonNull(access, "access");
        return builder().device(device).access(access).register(memory);
    }

    /**
     * Maps native memory that the caller promises not to free before the map is closed, as {@link
     * MmapBuilder#registerUnowned} does.
     *
     * @param memory a native segment with at least 1 byte that the calling thread can use
     * @param access who may do what with it
     * @throws IllegalArgumentException if it is heap memory, read-only with an access that permits writes, or empty
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
     * Maps memory that another process has exported ({@code doca_mmap_create_from_export}). Buffers are taken of it at
     * offsets from its beginning as of any other map, and only devices reach the bytes: copy them, or read, write and change
     * them by RDMA, as they were exported for. That fails with {@code IO_FAILED}, and stops its context, when the exporter
     * has closed its map or has ended, or when it does not permit it; what it permits is known here if the export says so
     * ({@link MmapExport#access()}), and nothing else is tried then.
     *
     * @param device on the other side of the PCI bus, or one that reaches the exporter by RDMA
     * @param export of the other process
     * @throws IllegalArgumentException if the address and length of the export are not of the memory of its descriptor
     * @throws IllegalStateException if the device is closed
     * @throws DocaException if the SDK refuses, for example a descriptor that is damaged or of a map that is closed
     */
    public static Mmap fromExport(Device device, MmapExport export) {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(export, "export");
        Access granted = export.access().orElse(Access.ANY_EXPORT);
        return new Mmap(
                "Mmap of " + export.length() + " bytes imported on "
                        + device.info().displayName(),
                List.of(device),
                granted,
                null,
                null,
                resource -> {
                    long pointer = Handles.address(device);
                    byte[] descriptor = export.descriptor();
                    NativeMap map = openImport(pointer, descriptor, export, resource);
                    return MapState.imported(
                            map.address(),
                            export.address(),
                            export.length(),
                            descriptor,
                            granted.grants(),
                            pointer,
                            resource);
                });
    }

    /**
     * Maps all memory of a descriptor that came without anything else, as the file of NVIDIA's RDMA samples has it ({@code
     * doca_mmap_create_from_export}, {@code doca_mmap_get_memrange}). What the exporter permits is not known then.
     *
     * @param device on the other side of the PCI bus, or one that reaches the exporter by RDMA
     * @param descriptor of 1 to 65536 bytes ({@link MmapExport#descriptor()})
     * @throws IllegalArgumentException if it is empty, or longer
     * @throws IllegalStateException if the device is closed
     * @throws DocaException if the SDK refuses, for example a descriptor that is damaged or of a map that is closed
     */
    public static Mmap fromDescriptor(Device device, byte[] descriptor) {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(descriptor, "descriptor");
        byte[] own = descriptor.clone();
        MmapExport.checkDescriptor(own);
        return new Mmap(
                "Mmap of a descriptor imported on " + device.info().displayName(),
                List.of(device),
                Access.ANY_EXPORT,
                null,
                null,
                resource -> openWholeImport(Handles.address(device), own, resource));
    }

    private static MapState openWholeImport(long device, byte[] descriptor, Resource resource) {
        String attempt = "importing " + resource.description();
        NativeMap map = NativeMap.fromExport(device, descriptor, attempt);
        try {
            NativeMap.Range range = map.range(attempt);
            return MapState.imported(
                    map.address(),
                    range.address(),
                    range.length(),
                    descriptor,
                    Access.ANY_EXPORT.grants(),
                    device,
                    resource);
        } catch (Throwable failure) {
            map.undo(failure);
            throw failure;
        }
    }

    private static NativeMap openImport(long device, byte[] descriptor, MmapExport export, Resource resource) {
        String attempt = "importing " + resource.description();
        NativeMap map = NativeMap.fromExport(device, descriptor, attempt);
        try {
            NativeMap.Range range = map.range(attempt);
            if (!range.contains(export.address(), export.length())) {
                throw new IllegalArgumentException(export + " is not inside of the memory of its descriptor: "
                        + range.length() + " bytes at 0x" + Long.toHexString(range.address()));
            }
        } catch (Throwable failure) {
            map.undo(failure);
            throw failure;
        }
        return map;
    }

    /**
     * Lets processes behind the PCI bus map this memory, too ({@code doca_mmap_export_pci}): whoever has the export reaches
     * the memory with this map's access until the map is closed. Exporting it again gives the same.
     *
     * @param device one of the map's devices
     * @throws IllegalArgumentException if it is not, or the map has neither PCI_READ_ONLY nor PCI_READ_WRITE
     * @throws IllegalStateException if the map or the device is closed, or the memory is another process' or was freed
     * @throws DocaException if the SDK refuses, for example a device that cannot
     */
    public MmapExport exportPci(Device device) {
        Objects.requireNonNull(device, "device");
        checkExport(device, access.isPciExportable(), "PCI_READ_ONLY or PCI_READ_WRITE");
        synchronized (exporting) {
            resource.checkOpen();
            byte[] descriptor = NativeMap.of(state.pointer())
                    .exportPci(Handles.address(device), "exporting " + this + " to " + names(List.of(device)));
            Jfr.exported(resource.description());
            return MmapExport.of(descriptor, state.base(), state.length(), access.overPci());
        }
    }

    /**
     * Lets RDMA peers reach this memory, too ({@code doca_mmap_export_rdma}): who has the export and a connection to a context
     * of this process that permits the same can do what RDMA_READ, RDMA_WRITE and RDMA_ATOMIC of this map's access allow, until
     * the map is closed. Exporting it again gives the same.
     *
     * @param device one of the map's devices, that of the RDMA context
     * @throws IllegalArgumentException if it is not, or the map has none of RDMA_READ, RDMA_WRITE and RDMA_ATOMIC
     * @throws IllegalStateException if the map or the device is closed, or the memory is another process' or was freed
     * @throws DocaException if the SDK refuses, for example a device that cannot
     */
    public MmapExport exportRdma(Device device) {
        Objects.requireNonNull(device, "device");
        checkExport(device, access.isRdmaExportable(), "RDMA_READ, RDMA_WRITE or RDMA_ATOMIC");
        synchronized (exporting) {
            resource.checkOpen();
            byte[] descriptor = NativeMap.of(state.pointer())
                    .exportRdma(
                            Handles.address(device), "exporting " + this + " for RDMA on " + names(List.of(device)));
            Jfr.exported(resource.description());
            return MmapExport.of(descriptor, state.base(), state.length(), access.overRdma());
        }
    }

    /** The key by which a device knows the memory; see {@link RdmaBridge}. */
    int mkey(Device device) {
        long dev = Handles.address(device);
        resource.checkOpen();
        state.checkAlive();
        if (!state.isRegisteredWith(dev)) {
            throw new IllegalArgumentException(
                    this + " is not registered with " + device.info().displayName());
        }
        synchronized (exporting) {
            resource.checkOpen();
            return NativeMap.of(state.pointer()).mkey(dev, "asking for the mkey of " + this);
        }
    }

    private void checkExport(Device device, boolean isExportable, String needed) {
        resource.checkOpen();
        state.checkAlive();
        if (isImported()) {
            throw new IllegalStateException(
                    this + " cannot be exported: the memory is another process', which has exported it");
        }
        if (!isExportable) {
            throw new IllegalArgumentException(
                    this + " cannot be exported: its access is " + access + ", and it needs " + needed);
        }
        if (!state.isRegisteredWith(Handles.address(device))) {
            throw new IllegalArgumentException(
                    this + " cannot be exported to " + device.info().displayName() + ", which is none of its devices");
        }
    }

    /** The devices that reach the memory, in the order in which they were added. */
    public List<Device> devices() {
        return devices;
    }

    /** Returns whether this is memory of another process. */
    public boolean isImported() {
        return segment == null;
    }

    /**
     * The memory. Once the map has freed it, every use of the segment is an {@link IllegalStateException}.
     *
     * @throws IllegalStateException if it is memory of another process
     */
    public MemorySegment segment() {
        MemorySegment memory = segment;
        if (memory == null) {
            throw new IllegalStateException(
                    this + " has no segment: it is memory of another process, which only a device reaches; copy it");
        }
        return memory;
    }

    /** The size in bytes. */
    public long byteSize() {
        return state.length();
    }

    /**
     * Returns the permissions for the memory. That of an imported map is as its export says it. The exporter may permit less
     * where that says nothing: then PCI_READ_WRITE, RDMA_READ, RDMA_WRITE and RDMA_ATOMIC are taken for granted.
     */
    public Access access() {
        return access;
    }

    /**
     * Destroys the map and frees the memory that it allocated ({@code doca_mmap_destroy}). Closing it again does nothing.
     *
     * <p>Processes that have imported its exports lose the memory: their copies and RDMA operations fail with {@code
     * IO_FAILED} from now on and stop the context that they belong to. Tell them to be done before.
     *
     * @throws IllegalStateException if buffers point into it, and it stays open; or if another thread has its memory in use
     *     in a native call or an I/O operation, and it can be closed again after that to free the memory
     * @throws DocaException if the SDK refuses; it stays open
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
            devices.forEach(device -> Handles.addRegistered(device, bytes));
        }
    }

    /** Returns the state that buffers share. */
    MapState state() {
        return state;
    }

    static String names(List<Device> devices) {
        return devices.stream().map(device -> device.info().displayName()).collect(Collectors.joining(", "));
    }

    private void destroy() {
        if (!destroyed) {
            state.retire();
            int result;
            synchronized (exporting) {
                result = NativeMap.of(state.pointer()).destroy();
            }
            if (result != 0) {
                state.revive();
            }
            Calls.check(result, "doca_mmap_destroy", "closing " + resource.description());
            destroyed = true;
            LENT.remove(state);
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
}
