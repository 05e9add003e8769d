/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import io.docajava.DocaException;
import io.docajava.core.device.Device;
import io.docajava.core.internal.device.DeviceImpl;
import io.docajava.core.internal.memory.HugePageMemory;
import io.docajava.core.internal.memory.MemoryLife;
import io.docajava.core.internal.memory.MmapImpl;
import io.docajava.ffi.internal.LibC;
import io.docajava.ffi.internal.StackGuard;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Configures {@link Mmap}s. Each call of {@link #allocate}, {@link #register} or {@link #registerUnchecked} creates one. Not safe
 * for use by several threads at once.
 */
public final class MmapBuilder {

    /** The size is rounded up to this unit, so that the memory shares no cache line with other data; otherwise the SDK warns. */
    private static final long CACHE_LINE = 64;

    private final List<Device> devices = new ArrayList<>();
    private Access access = Access.LOCAL_READ_WRITE;
    private @Nullable HugePageSize hugePages;

    MmapBuilder() {}

    /**
     * Adds a device that can access the memory ({@code doca_mmap_add_dev}; {@code doca_mmap_set_max_num_devices} for more than
     * one). A map has at least one device.
     *
     * @param device an open device; it cannot be closed before the map
     * @return this builder
     * @throws IllegalArgumentException if the device was added before, even if it has been opened again since
     * @throws IllegalStateException if the device is closed
     */
    public MmapBuilder device(Device device) {
        Objects.requireNonNull(device, "device");
        long address = DeviceImpl.address(device);
        for (Device other : devices) {
            if (DeviceImpl.address(other) == address) {
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
     * Allocates the memory in huge pages of the system's default size, usually 2 MiB. Devices then translate fewer addresses,
     * which makes random access to large memory faster.
     *
     * @return this builder
     * @throws HugePagesException if the system has no huge pages of any size
     */
    public MmapBuilder hugePages() {
        StackGuard.check();
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
     * Allocates memory and maps it for the devices. The memory is zeroed and begins at a page boundary (of a page of 4 KiB or 64
     * KiB, or of a huge page). {@link Mmap#close()} frees it.
     *
     * <p>{@code doca_mmap_create}, {@code doca_mmap_add_dev}, {@code doca_mmap_set_permissions}, {@code doca_mmap_set_memrange},
     * {@code doca_mmap_start}.
     *
     * @param bytes the size of the memory, at least 1; huge pages are allocated as a whole
     * @return the map, which owns the memory; the caller closes it
     * @throws IllegalArgumentException if {@code bytes} is not positive, or the machine does not support that size of huge pages
     * @throws IllegalStateException if there is no device, or one is closed
     * @throws HugePagesException if there are not enough huge pages
     * @throws OutOfMemoryError if there is not enough memory
     * @throws DocaException if the SDK refuses
     */
    public Mmap allocate(long bytes) {
        StackGuard.check();
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
            // Other processes may access only the requested bytes; devices of this side may access the rest of the
            // cache line.
            return map(memory, arena, access.isRemote() ? bytes : wholeCacheLines(bytes), false);
        } catch (Throwable failure) {
            arena.close();
            throw failure;
        }
    }

    /**
     * Maps caller-owned memory that only the garbage collector can free: a segment of {@link Arena#global()} or {@link
     * Arena#ofAuto()}. The map keeps it reachable until the map is closed. All other native memory needs {@link
     * #registerUnchecked}: memory of another arena, of a mapped file, which is lost if the file is truncated, or of a direct {@link
     * java.nio.ByteBuffer}, which may belong to a file, to native code, or to an allocator that frees it.
     *
     * @param memory a native segment with at least 1 byte. Devices are fastest if it begins at a multiple of 64. A read-only
     *     segment needs an access without write permissions
     * @return the map; the caller closes it
     * @throws IllegalArgumentException if the memory is heap memory, empty, of a file, of another kind of arena or of a buffer,
     *     or is read-only and the access permits writes
     * @throws IllegalStateException if there is no device, one is closed, or huge pages were requested
     * @throws DocaException if the SDK refuses, or the mappings of this process, which show whether memory is of a file, cannot be
     *     read
     */
    public Mmap register(MemorySegment memory) {
        Objects.requireNonNull(memory, "memory");
        StackGuard.check();
        if (memory.isNative() && !MemoryLife.isLasting(memory)) {
            throw new IllegalArgumentException(
                    "This memory could be freed while a device uses it, as it is neither of the global nor of an automatic"
                            + " arena: let the Mmap allocate its memory, or use registerUnchecked and keep the memory until"
                            + " the Mmap is closed");
        }
        if (memory.isNative() && MemoryLife.isOfFile(memory)) {
            throw new IllegalArgumentException(
                    "This memory is of a mapped file, and is lost if the file is truncated: use registerUnchecked and keep the"
                            + " file as it is until the Mmap is closed");
        }
        return mapUnchecked(memory);
    }

    /**
     * Maps native memory that the caller promises not to free before the map is closed. If its arena is closed earlier, a device
     * may write to memory that has another owner by then, and no further buffer can point into the map. The caller also promises
     * not to truncate a mapped file, since a signal could then kill the process.
     *
     * @param memory a native segment with at least 1 byte that the calling thread can use. Devices are fastest if it begins at a
     *     multiple of 64. A read-only segment, such as a file mapped for reading, needs an access without write permissions
     * @return the map; the caller closes it before it frees the memory
     * @throws IllegalArgumentException if the memory is heap memory, empty, or is read-only and the access permits writes
     * @throws IllegalStateException if there is no device, one is closed, the memory was freed or belongs to another thread, or
     *     huge pages were requested
     * @throws DocaException if the SDK refuses
     */
    public Mmap registerUnchecked(MemorySegment memory) {
        Objects.requireNonNull(memory, "memory");
        StackGuard.check();
        return mapUnchecked(memory);
    }

    private Mmap mapUnchecked(MemorySegment memory) {
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
        devices.forEach(device -> DeviceImpl.resource(device).checkOpen());
    }

    private Mmap map(MemorySegment memory, @Nullable Arena arena, long mapped, boolean freeable) {
        List<Device> all = List.copyOf(devices);
        return MmapImpl.local(
                "Mmap of " + memory.byteSize() + " bytes on " + names(all),
                all,
                access,
                memory,
                arena,
                mapped,
                freeable);
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
        // Sizes that cannot be rounded up exceed the memory of any machine.
        return bytes > Long.MAX_VALUE - CACHE_LINE ? bytes : (bytes + CACHE_LINE - 1) & -CACHE_LINE;
    }

    private static String names(List<Device> devices) {
        return devices.stream().map(device -> device.info().displayName()).collect(Collectors.joining(", "));
    }

    /** Returns the access and the devices. */
    @Override
    public String toString() {
        return "MmapBuilder with access " + access + " on " + names(devices);
    }
}
