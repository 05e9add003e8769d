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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A range of memory that a device reaches ({@code struct doca_mmap}), started and ready for buffers. Either the map owns
 * its memory ({@link #allocate}), or it is made for memory of the caller ({@link #register}).
 *
 * <p>Safe for use by many threads; the bytes are as safe as any memory shared with a device.
 */
public final class Mmap implements AutoCloseable {

    /** Where a map's own memory begins: at a page of most systems, and always at a cache line. */
    private static final long ALIGNMENT = 4096;

    /** What its end is rounded up to, so that a device shares none with other data; the SDK warns of other memory. */
    private static final long CACHE_LINE = 64;

    /** Keeps the garbage collector from freeing what a device may still use, when everybody has forgotten the map. */
    private static final Set<MapState> LENT = ConcurrentHashMap.newKeySet();

    private final MemorySegment segment;
    private final @Nullable Arena arena;
    private final Access access;
    private final Resource resource;
    private final MapState state;

    /** Whether only the memory is left; read and written by whoever is closing. */
    private boolean destroyed;

    private Mmap(Device device, MemorySegment segment, @Nullable Arena arena, Access access) {
        this.segment = segment;
        this.arena = arena;
        this.access = access;
        this.resource = Resource.open(
                this,
                "Mmap of " + segment.byteSize() + " bytes on " + device.info().displayName(),
                Handles.resource(device));
        try {
            long deviceAddress = Handles.address(device);
            this.state = new MapState(
                    start(deviceAddress),
                    segment,
                    arena == null,
                    access.includes(Access.LOCAL_READ_WRITE),
                    deviceAddress,
                    resource);
        } catch (Throwable failure) {
            resource.beginClose();
            resource.endClose();
            throw failure;
        }
        if (arena == null) {
            LENT.add(state);
        }
    }

    /**
     * Allocates memory and maps it for a device. The memory is zeroed, begins at a multiple of 4096, and is freed by
     * {@link #close()}.
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
        Handles.resource(device).checkOpen();
        // Shared, so that any thread may use the memory and close the map.
        Arena arena = Arena.ofShared();
        try {
            return new Mmap(device, allocate(arena, bytes), arena, access);
        } catch (Throwable failure) {
            arena.close();
            throw failure;
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
     * Maps native memory that the caller promises not to free before this map is closed. If its arena is closed earlier, a
     * device may write to memory that belongs to somebody else by then; no buffer can be taken of it from then on.
     *
     * <p>Memory that the garbage collector frees, of {@link Arena#ofAuto()} or of a direct {@link java.nio.ByteBuffer}, is
     * kept until the map is closed.
     *
     * @param memory a native segment with at least 1 byte that the calling thread can use; devices are fastest when it
     *     begins at a multiple of 64
     * @param access who may do what with it
     * @throws IllegalArgumentException if it is heap memory, read-only, or empty
     * @throws IllegalStateException if the device is closed, or the memory was freed or belongs to another thread
     * @throws DocaException if the SDK refuses
     */
    public static Mmap registerUnowned(Device device, MemorySegment memory, Access access) {
        if (!memory.isNative()) {
            throw new IllegalArgumentException(
                    "Heap memory cannot be mapped: a device needs memory that does not move");
        }
        if (memory.isReadOnly()) {
            throw new IllegalArgumentException(
                    "A read-only segment cannot be mapped: map a writable one with the access LOCAL_READ_ONLY");
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

    /** What buffers need to know of this map. */
    MapState state() {
        return state;
    }

    private void destroy() {
        if (!destroyed) {
            state.retire();
            int result = DocaCommon.doca_mmap_destroy(MemorySegment.ofAddress(state.pointer()));
            if (result != 0) {
                state.revive();
            }
            Calls.check(result, "doca_mmap_destroy", "closing " + resource.description());
            destroyed = true;
            LENT.remove(state);
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

    private static MemorySegment allocate(Arena arena, long bytes) {
        try {
            return arena.allocate(wholeCacheLines(bytes), ALIGNMENT).asSlice(0, bytes);
        } catch (OutOfMemoryError e) {
            OutOfMemoryError error = new OutOfMemoryError("There is no memory for an Mmap of " + bytes + " bytes");
            error.initCause(e);
            throw error;
        }
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
        } catch (Throwable failure) {
            int result = DocaCommon.doca_mmap_destroy(map);
            if (result != 0) {
                failure.addSuppressed(Calls.failure(result, "doca_mmap_destroy", "undoing the failed mapping"));
            }
            throw failure;
        }
        return map.address();
    }
}
