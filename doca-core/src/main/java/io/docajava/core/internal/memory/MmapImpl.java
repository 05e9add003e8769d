/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.memory;

import io.docajava.core.device.Device;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.device.DeviceImpl;
import io.docajava.core.internal.jfr.Jfr;
import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.memory.MmapExport;
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

/** The implementation of {@link Mmap}. */
public final class MmapImpl implements Mmap {

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
    private MmapImpl(
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

    /**
     * Maps memory of this process.
     *
     * @param arena that the map closes, or null
     * @param mapped the number of bytes that devices can access; no other object uses those behind the end of the memory
     * @param freeable whether the user may free the memory while it is mapped
     */
    public static Mmap local(
            String description,
            List<Device> devices,
            Access access,
            MemorySegment memory,
            @Nullable Arena arena,
            long mapped,
            boolean freeable) {
        return new MmapImpl(description, devices, access, memory, arena, resource -> {
            long[] pointers = devices.stream().mapToLong(DeviceImpl::address).toArray();
            NativeMap map = NativeMap.start(pointers, memory, mapped, access);
            return MapState.local(
                    map.address(), memory, freeable, Rights.missingForLocalWrites(access), pointers, resource);
        });
    }

    /** Maps the memory of an export. */
    public static Mmap fromExport(Device device, MmapExport export) {
        return imported(device, export.length() + " bytes", export.descriptor(), export);
    }

    /** Maps the whole memory of a descriptor, which the caller does not change later. */
    public static Mmap fromDescriptor(Device device, byte[] descriptor) {
        return imported(device, "a descriptor", descriptor, null);
    }

    /** Imports the range of an export, or the whole memory of the descriptor if there is none. */
    private static Mmap imported(Device device, String what, byte[] descriptor, @Nullable MmapExport export) {
        StackGuard.check();
        Access granted = export == null ? Rights.ANY_EXPORT : export.access().orElse(Rights.ANY_EXPORT);
        return new MmapImpl(
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
                    map.address(),
                    range.address(),
                    range.length(),
                    descriptor,
                    Rights.grants(granted),
                    device,
                    resource);
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

    @Override
    public MmapExport exportPci(Device device) {
        Objects.requireNonNull(device, "device");
        StackGuard.check();
        checkExport(device, Rights.arePciExportable(access), "PCI_READ_ONLY or PCI_READ_WRITE");
        String attempt = "exporting " + this + " to " + device.info().displayName();
        return export(
                device, DocaCommon::doca_mmap_export_pci, "doca_mmap_export_pci", attempt, Rights.overPci(access));
    }

    @Override
    public MmapExport exportRdma(Device device) {
        Objects.requireNonNull(device, "device");
        StackGuard.check();
        checkExport(device, Rights.areRdmaExportable(access), "RDMA_READ, RDMA_WRITE or RDMA_ATOMIC");
        String attempt = "exporting " + this + " for RDMA on " + device.info().displayName();
        return export(
                device, DocaCommon::doca_mmap_export_rdma, "doca_mmap_export_rdma", attempt, Rights.overRdma(access));
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

    /** Returns the memory key of a device for this memory; see {@link io.docajava.core.memory.RdmaBridge}. */
    public static int mkey(Mmap map, Device device) {
        StackGuard.check();
        return ((MmapImpl) map).mkey(device);
    }

    private int mkey(Device device) {
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

    @Override
    public List<Device> devices() {
        return devices;
    }

    @Override
    public boolean isImported() {
        return segment == null;
    }

    @Override
    public MemorySegment segment() {
        if (segment == null) {
            throw new IllegalStateException(
                    this + " has no segment: it is memory of another process, which only a device reaches; copy it");
        }
        return segment;
    }

    @Override
    public MapRange range(long offset, long length) {
        return new MapRange(this, offset, length);
    }

    @Override
    public MapRange all() {
        return range(0, state.length());
    }

    @Override
    public long byteSize() {
        return state.length();
    }

    @Override
    public Access access() {
        return access;
    }

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

    /**
     * Returns a range of a map for a user.
     *
     * @param address of the first byte
     * @throws IllegalStateException if the program has no reference to the map any more
     */
    public static MapRange range(MapState state, long address, long bytes) {
        if (state.resource().owner() instanceof Mmap owner) {
            return new MapRange(owner, address - state.base(), bytes);
        }
        throw new IllegalStateException("The program has no reference to " + state + " any more");
    }

    /** Returns the internal state of a map. Allocates nothing. */
    public static MapState state(Mmap map) {
        return ((MmapImpl) map).state;
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
