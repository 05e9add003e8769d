/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;

import io.docajava.core.DocaException;
import io.docajava.core.device.Device;
import io.docajava.core.internal.Handles;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.core.internal.memory.MapState;
import io.docajava.ffi.generated.common.DocaCommon;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A range of memory that a device reaches ({@code struct doca_mmap}), started and ready for buffers. Either the map owns
 * its memory ({@link #allocate}), or it is made for memory of the caller ({@link #register}).
 *
 * <p>Safe for use by many threads; the bytes are as safe as any memory shared with a device.
 */
public final class Mmap implements AutoCloseable {

    /** Memory of a map's own begins at a page, so that a device never shares one with other data. */
    private static final long PAGE = 4096;

    /** It ends with a whole cache line for the same reason; the SDK warns of memory that does not. */
    private static final long CACHE_LINE = 64;

    private final MemorySegment segment;
    private final @Nullable Arena arena;
    private final Access access;
    private final Resource resource;
    private final MapState state;

    private Mmap(Device device, MemorySegment segment, @Nullable Arena arena, Access access) {
        this.segment = segment;
        this.arena = arena;
        this.access = access;
        this.resource = Resource.open(
                this,
                "Mmap of " + segment.byteSize() + " bytes on " + device.info().displayName(),
                Handles.resource(device));
        long deviceAddress = Handles.address(device);
        long pointer;
        try {
            pointer = start(deviceAddress);
        } catch (RuntimeException | Error e) {
            resource.beginClose();
            resource.endClose();
            throw e;
        }
        boolean writable = access.includes(Access.LOCAL_READ_WRITE);
        this.state = new MapState(pointer, segment.address(), segment.byteSize(), writable, deviceAddress, resource);
    }

    /**
     * Allocates memory and maps it for a device. The memory is zeroed, begins at a page, and is freed by {@link #close()}.
     *
     * <p>{@code doca_mmap_create}, {@code doca_mmap_add_dev}, {@code doca_mmap_set_permissions}, {@code
     * doca_mmap_set_memrange}, {@code doca_mmap_start}.
     *
     * @param bytes its size, at least 1
     * @param access who may do what with it
     * @throws IllegalArgumentException if the size is not positive
     * @throws IllegalStateException if the device is closed
     * @throws OutOfMemoryError if there is not that much memory
     * @throws DocaException if the SDK refuses
     */
    public static Mmap allocate(Device device, long bytes, Access access) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("An Mmap has at least 1 byte, and not " + bytes);
        }
        Arena arena = Arena.ofShared();
        try {
            return new Mmap(device, arena.allocate(wholeCacheLines(bytes), PAGE).asSlice(0, bytes), arena, access);
        } catch (RuntimeException | Error e) {
            arena.close();
            throw e;
        }
    }

    /**
     * Maps memory of the caller that can never be freed: that of {@link Arena#global()}. For any other native memory there
     * is {@link #registerUnowned}.
     *
     * @param memory a native segment of the global arena, with at least 1 byte; devices are fastest when it begins at a
     *     multiple of 64
     * @param access who may do what with it
     * @throws IllegalArgumentException if it is heap memory, read-only, empty, or memory that could be freed
     * @throws IllegalStateException if the device is closed
     * @throws DocaException if the SDK refuses
     */
    public static Mmap register(Device device, MemorySegment memory, Access access) {
        if (memory.isNative() && !memory.scope().equals(Arena.global().scope())) {
            throw new IllegalArgumentException(
                    "This memory can be freed while a device uses it, since it is not of the global arena: let the Mmap"
                            + " allocate its memory, or use registerUnowned and keep the memory until the Mmap is closed");
        }
        return registerUnowned(device, memory, access);
    }

    /**
     * Maps native memory that the caller promises not to free before this map is closed. If it is freed earlier, a device
     * may write to memory that belongs to somebody else by then.
     *
     * @param memory a native segment with at least 1 byte; devices are fastest when it begins at a multiple of 64
     * @param access who may do what with it
     * @throws IllegalArgumentException if it is heap memory, read-only, or empty
     * @throws IllegalStateException if the device is closed, or the memory has been freed
     * @throws DocaException if the SDK refuses
     */
    public static Mmap registerUnowned(Device device, MemorySegment memory, Access access) {
        if (!memory.isNative()) {
            throw new IllegalArgumentException(
                    "Heap memory cannot be mapped: a device needs memory that does not move");
        }
        if (memory.isReadOnly()) {
            throw new IllegalArgumentException("A read-only segment cannot be mapped: give the access instead");
        }
        if (memory.byteSize() == 0) {
            throw new IllegalArgumentException("An Mmap has at least 1 byte, and not 0");
        }
        if (!memory.scope().isAlive()) {
            throw new IllegalStateException("The memory to be mapped has been freed");
        }
        return new Mmap(device, memory, null, access);
    }

    /** The memory. Once the map has freed it, every use of the segment is an {@link IllegalStateException}. */
    public MemorySegment segment() {
        return segment;
    }

    /** The size in bytes. */
    public long byteSize() {
        return segment.byteSize();
    }

    /** Who may do what with the memory. */
    public Access access() {
        return access;
    }

    /**
     * Destroys the map and frees the memory that it allocated ({@code doca_mmap_destroy}). Closing it again does nothing.
     *
     * @throws IllegalStateException if buffers point into it; it stays open
     * @throws DocaException if the SDK refuses; it stays open
     */
    @Override
    public void close() {
        if (!resource.beginClose()) {
            return;
        }
        int buffers = state.buffers();
        if (buffers > 0) {
            resource.cancelClose();
            throw new IllegalStateException(resource.description() + " cannot be closed while " + buffers
                    + (buffers == 1 ? " buffer points" : " buffers point") + " into it");
        }
        int result = DocaCommon.doca_mmap_destroy(MemorySegment.ofAddress(state.pointer()));
        if (result != 0) {
            resource.cancelClose();
        }
        Calls.check(result, "doca_mmap_destroy", "closing " + resource.description());
        resource.endClose();
        if (arena != null) {
            arena.close();
        }
    }

    @Override
    public String toString() {
        return resource.description();
    }

    /** What buffers need to know of this map. */
    MapState state() {
        return state;
    }

    private static long wholeCacheLines(long bytes) {
        // The few sizes that cannot be rounded up are more than any machine has.
        return bytes > Long.MAX_VALUE - CACHE_LINE ? bytes : (bytes + CACHE_LINE - 1) & -CACHE_LINE;
    }

    private long start(long device) {
        String attempt = "mapping " + segment.byteSize() + " bytes";
        MemorySegment map;
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment out = scratch.allocate(ADDRESS);
            Calls.check(DocaCommon.doca_mmap_create(out), "doca_mmap_create", attempt);
            map = out.get(ADDRESS, 0);
        }
        try {
            Calls.check(
                    DocaCommon.doca_mmap_add_dev(map, MemorySegment.ofAddress(device)), "doca_mmap_add_dev", attempt);
            Calls.check(
                    DocaCommon.doca_mmap_set_permissions(map, access.flags()),
                    "doca_mmap_set_permissions",
                    attempt + " with access " + access);
            long mapped = arena == null ? segment.byteSize() : wholeCacheLines(segment.byteSize());
            Calls.check(DocaCommon.doca_mmap_set_memrange(map, segment, mapped), "doca_mmap_set_memrange", attempt);
            Calls.check(DocaCommon.doca_mmap_start(map), "doca_mmap_start", attempt);
        } catch (RuntimeException e) {
            int result = DocaCommon.doca_mmap_destroy(map);
            if (result != 0) {
                e.addSuppressed(Calls.failure(result, "doca_mmap_destroy", "undoing the failed mapping"));
            }
            throw e;
        }
        return map.address();
    }
}
