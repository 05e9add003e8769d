/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import io.docajava.DocaException;
import io.docajava.core.device.Device;
import io.docajava.core.internal.Handles;
import io.docajava.core.internal.memory.MapState;
import io.docajava.core.internal.memory.MemoryLife;
import io.docajava.ffi.internal.LibC;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Configures {@link Mmap}s. Each call of {@link #allocate}, {@link #register} or {@link #registerUnowned} creates one. For one
 * thread at a time.
 */
public final class MmapBuilder {

    /**
     * The unit to which the size is rounded up, so that a device shares no cache line with other data; the SDK warns
     * otherwise.
     */
    private static final long CACHE_LINE = 64;

    private final List<Device> devices = new ArrayList<>();
    private Access access = Access.LOCAL_READ_WRITE;
    private @Nullable HugePageSize hugePages;

    MmapBuilder() {}

    /**
     * Adds a device that is to reach the memory ({@code doca_mmap_add_dev}; {@code doca_mmap_set_max_num_devices} for more
     * than one). A map has at least one.
     *
     * @param device an open device; it cannot be closed before the map
     * @return this builder
     * @throws IllegalArgumentException if the device was added before, also if it has been opened again since
     * @throws IllegalStateException if the device is closed
     */
    public MmapBuilder device(Device device) {
        Objects.requireNonNull(device, "device");
        long address = Handles.address(device);
        for (Device other : devices) {
            if (Handles.address(other) == address) {
                throw new IllegalArgumentException(
                        device + " was added to the Mmap before: a device is added to an Mmap once");
            }
        }
        devices.add(device);
        return this;
    }

    /**
     * Sets the permissions for the memory ({@code doca_mmap_set_permissions}).
     *
     * @param access one permission, or several; LOCAL_READ_WRITE if not set
     * @return this builder
     * @throws IllegalArgumentException if RDMA_WRITE or RDMA_ATOMIC comes without LOCAL_READ_WRITE
     */
    public MmapBuilder access(Access access) {
        Objects.requireNonNull(access, "access");
        access.checkForMap();
        this.access = access;
        return this;
    }

    /**
     * Allocates the memory in huge pages of the system's default size, mostly 2 MiB. Devices then have fewer addresses to
     * translate, which is faster for random access to large memory.
     *
     * @return this builder
     * @throws HugePagesException if the system has no huge pages of any size
     */
    public MmapBuilder hugePages() {
        return hugePages(HugePageSize.systemDefault());
    }

    /**
     * Allocates the memory in huge pages of a size.
     *
     * @param size one of {@link HugePageSize#supported()}; ordinary pages if not set
     * @return this builder
     */
    public MmapBuilder hugePages(HugePageSize size) {
        this.hugePages = Objects.requireNonNull(size, "size");
        return this;
    }

    /**
     * Allocates memory and maps it for the devices. The memory is zeroed, begins at a multiple of the machine's page size (4
     * KiB or 64 KiB) or of the size of the huge pages, and is freed by {@link Mmap#close()}.
     *
     * <p>{@code doca_mmap_create}, {@code doca_mmap_add_dev}, {@code doca_mmap_set_permissions}, {@code
     * doca_mmap_set_memrange}, {@code doca_mmap_start}.
     *
     * @param bytes the size of the memory, at least 1; huge pages are taken as a whole
     * @return the map, which owns the memory; the caller closes it
     * @throws IllegalArgumentException if the size is not positive, or the machine has no huge pages of the size
     * @throws IllegalStateException if there is no device, or one is closed
     * @throws HugePagesException if there are not enough huge pages
     * @throws OutOfMemoryError if there is not that much memory
     * @throws DocaException if the SDK refuses
     */
    public Mmap allocate(long bytes) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("An Mmap has at least 1 byte, and not " + bytes);
        }
        checkDevices();
        // Shared, so that any thread may use the memory and close the map.
        Arena arena = Arena.ofShared();
        try {
            MemorySegment memory = hugePages == null
                    ? allocate(arena, bytes)
                    : HugePageMemory.allocate(arena, bytes, hugePages).asSlice(0, bytes);
            // Others reach only the bytes that the caller asked for; devices of this side may touch the rest of the
            // line.
            return map(memory, arena, access.isRemote() ? bytes : wholeCacheLines(bytes), false);
        } catch (Throwable failure) {
            arena.close();
            throw failure;
        }
    }

    /**
     * Maps caller-owned memory that only the garbage collector can free: that of {@link Arena#global()} or {@link
     * Arena#ofAuto()}. The map refers to it until it is closed. All other native memory needs {@link #registerUnowned}:
     * that of another arena, that of a mapped file, which is gone when the file is truncated, and that of any direct {@link
     * java.nio.ByteBuffer}, which may belong to a file, to native code, or to an allocator that frees it.
     *
     * @param memory a native segment with at least 1 byte; devices are fastest when it begins at a multiple of 64. A read-only
     *     one needs an access without permissions to write
     * @return the map; the caller closes it
     * @throws IllegalArgumentException if it is heap memory, read-only with an access that permits writes, empty, of a file, or of
     *     another kind of arena or a buffer
     * @throws IllegalStateException if there is no device, one is closed, or huge pages were requested
     * @throws DocaException if the SDK refuses
     */
    public Mmap register(MemorySegment memory) {
        Objects.requireNonNull(memory, "memory");
        if (memory.isNative() && !MemoryLife.isLasting(memory)) {
            throw new IllegalArgumentException(
                    "This memory could be freed while a device uses it, as it is neither of the global nor of an automatic"
                            + " arena: let the Mmap allocate its memory, or use registerUnowned and keep the memory until"
                            + " the Mmap is closed");
        }
        if (memory.isNative() && MemoryLife.isOfFile(memory)) {
            throw new IllegalArgumentException(
                    "This memory is a file's, and is gone when the file is made shorter: use registerUnowned and keep the"
                            + " file as it is until the Mmap is closed");
        }
        return registerUnowned(memory);
    }

    /**
     * Maps native memory that the caller promises not to free before the map is closed. If its arena is closed earlier, a
     * device may write to memory that has another owner by then, and no further buffer can point into the map. The caller also
     * promises not to truncate a mapped file: the process could be killed by a signal.
     *
     * @param memory a native segment with at least 1 byte that the calling thread can use; devices are fastest when it
     *     begins at a multiple of 64. A read-only one, such as that of a file mapped for reading, needs an access without
     *     permissions to write
     * @return the map; the caller closes it before it frees the memory
     * @throws IllegalArgumentException if it is heap memory, read-only with an access that permits writes, or empty
     * @throws IllegalStateException if there is no device, one is closed, the memory was freed or belongs to another
     *     thread, or huge pages were requested
     * @throws DocaException if the SDK refuses
     */
    public Mmap registerUnowned(MemorySegment memory) {
        Objects.requireNonNull(memory, "memory");
        checkMappable(memory);
        if (hugePages != null) {
            throw new IllegalStateException(
                    "Huge pages are for memory that the Mmap allocates: memory that is registered is as it is");
        }
        checkDevices();
        return map(memory, null, memory.byteSize(), !MemoryLife.isLasting(memory));
    }

    private void checkMappable(MemorySegment memory) {
        if (!memory.isNative()) {
            throw new IllegalArgumentException(
                    "Heap memory cannot be mapped: a device needs memory that does not move");
        }
        if (memory.isReadOnly() && access.permitsWrites()) {
            throw new IllegalArgumentException("A read-only segment cannot be mapped with access " + access
                    + ", as devices could write to it: use LOCAL_READ_ONLY, PCI_READ_ONLY or RDMA_READ");
        }
        if (memory.byteSize() == 0) {
            throw new IllegalArgumentException("An Mmap has at least 1 byte, and not 0");
        }
        if (!memory.scope().isAlive()) {
            throw new IllegalStateException("The memory to be mapped was freed");
        }
        if (!memory.isAccessibleBy(Thread.currentThread())) {
            throw new IllegalStateException("The memory to be mapped is of the confined arena of another thread");
        }
    }

    private void checkDevices() {
        if (devices.isEmpty()) {
            throw new IllegalStateException("An Mmap needs a device: add one by device(...)");
        }
        devices.forEach(device -> Handles.resource(device).checkOpen());
    }

    private Mmap map(MemorySegment memory, @Nullable Arena arena, long mapped, boolean freeable) {
        List<Device> ofThisMap = List.copyOf(devices);
        Access ofThisAccess = access;
        return new Mmap(
                "Mmap of " + memory.byteSize() + " bytes on " + Mmap.names(ofThisMap),
                ofThisMap,
                ofThisAccess,
                memory,
                arena,
                resource -> {
                    long[] pointers =
                            ofThisMap.stream().mapToLong(Handles::address).toArray();
                    NativeMap map = NativeMap.start(pointers, memory, mapped, ofThisAccess);
                    return MapState.local(
                            map.address(), memory, freeable, ofThisAccess.missingForLocalWrites(), pointers, resource);
                });
    }

    private static MemorySegment allocate(Arena arena, long bytes) {
        try {
            return arena.allocate(wholeCacheLines(bytes), LibC.pageSize()).asSlice(0, bytes);
        } catch (OutOfMemoryError e) {
            OutOfMemoryError error = new OutOfMemoryError("There is no memory for an Mmap of " + bytes + " bytes");
            error.initCause(e);
            throw error;
        }
    }

    private static long wholeCacheLines(long bytes) {
        // No machine has as much memory as the few sizes that cannot be rounded up.
        return bytes > Long.MAX_VALUE - CACHE_LINE ? bytes : (bytes + CACHE_LINE - 1) & -CACHE_LINE;
    }

    /** Returns the access and the devices. */
    @Override
    public String toString() {
        return "MmapBuilder with access " + access + " on " + Mmap.names(devices);
    }
}
