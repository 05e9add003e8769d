/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.DocaException;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.lifecycle.Undo;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.BufElements;
import io.docajava.core.internal.memory.MapState;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.hot.BufCalls;
import io.docajava.ffi.internal.StackGuard;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A pool of equally sized buffers that follow each other in a memory map ({@code struct doca_buf_pool}). Each buffer has a fixed
 * position, and {@link #take()} returns any free one. The map cannot be closed before the pool.
 *
 * <p>The pool and its buffers belong to the thread that created the pool. After that thread has ended, they belong to the first
 * thread that uses them. Closing the pool closes all of its buffers.
 */
public final class BufPool extends BufOwner {

    private final Mmap memory;
    private final long elementSize;

    private BufPool(Mmap memory, BufElements elements, long elementSize, long alignment) {
        super(
                elements,
                out -> start(memory.state(), elements, elementSize, alignment, out),
                memory.state().resource());
        this.memory = memory;
        this.elementSize = elementSize;
    }

    /**
     * Creates a pool of adjacent buffers, the first at the beginning of the memory.
     *
     * @param memory for the buffers; it cannot be closed before the pool
     * @param elements the number of buffers, from 1 to 16777216
     * @param elementSize the size of each buffer in bytes, at least 1
     * @return the pool, which belongs to the calling thread and is to be closed by it
     * @throws IllegalArgumentException for the same reasons as {@link #create(Mmap, int, long, long)}
     * @throws IllegalStateException if the memory map is closed, or its memory was freed
     * @throws DocaException if the SDK refuses
     */
    public static BufPool create(Mmap memory, int elements, long elementSize) {
        return create(memory, elements, elementSize, 1);
    }

    /**
     * Creates a pool of buffers that begin at aligned addresses ({@code doca_buf_pool_create}, {@code
     * doca_buf_pool_set_element_alignment}, {@code doca_buf_pool_start}).
     *
     * @param memory for the buffers; it cannot be closed before the pool
     * @param elements the number of buffers, from 1 to 16777216
     * @param elementSize the size of each buffer in bytes, at least 1
     * @param alignment a power of two; the address of each buffer is a multiple of it; 1 for any address
     * @return the pool, which belongs to the calling thread and is to be closed by it
     * @throws IllegalArgumentException if a number is out of its range, the memory is too small, or it is imported and does not
     *     begin where the exported memory begins
     * @throws IllegalStateException if the memory map is closed, or its memory was freed
     * @throws DocaException if the SDK refuses
     */
    public static BufPool create(Mmap memory, int elements, long elementSize, long alignment) {
        Objects.requireNonNull(memory, "memory");
        StackGuard.check();
        MapState map = memory.state();
        checkLayout(map, elements, elementSize, alignment);
        BufElements mirrors = new BufElements("BufPool of " + elements + " x " + elementSize + " bytes", elements);
        // Until the pool itself keeps the map open.
        map.hold();
        try {
            checkBeginning(map);
            return new BufPool(memory, mirrors, elementSize, alignment);
        } finally {
            map.release();
        }
    }

    /**
     * Takes an empty buffer: tasks can write to all of it ({@code doca_buf_pool_buf_alloc}).
     *
     * @return the buffer, which returns to this pool when it is closed
     * @throws IllegalStateException if the pool is closed, the memory was freed, or the calling thread is not the owner
     * @throws ResourceExhaustedException if no buffer is free
     * @throws DocaException if the SDK refuses
     */
    public Buf take() {
        StackGuard.check();
        check();
        checkNotExhausted();
        MapState map = memory.state();
        map.hold();
        long buf;
        long address;
        try {
            buf = allocate();
            address = head(buf);
        } catch (Throwable failure) {
            map.release();
            throw failure;
        }
        return new Buf(this, memory, elements().take(map, buf, address, elementSize, 0));
    }

    /** {@return the memory map that contains the buffers} */
    public Mmap memory() {
        return memory;
    }

    /** {@return the size of each buffer in bytes} */
    public long elementSize() {
        return elementSize;
    }

    @Override
    void aim(BufElement element, long address, long length, long dataLength) {
        throw new IllegalStateException("A buffer of " + this + " keeps its place: only those of a BufInventory can be"
                + " aimed at another range");
    }

    @Override
    void destroy() {
        destroy(pointer(), "closing " + this);
    }

    private long allocate() {
        int result = BufCalls.allocate(pointer().address(), out().address());
        if (result != 0) {
            throw Calls.failure(result, "doca_buf_pool_buf_alloc", "taking a buffer of " + this);
        }
        return out().get(JAVA_LONG, 0);
    }

    private long head(long buf) {
        int result = BufCalls.head(buf, out().address());
        if (result != 0) {
            DocaException failure = Calls.failure(result, "doca_buf_get_head", "taking a buffer of " + this);
            BufCalls.decrementReferences(buf, 0);
            Calls.settle();
            throw failure;
        }
        return out().get(JAVA_LONG, 0);
    }

    private static void checkLayout(MapState map, int elements, long elementSize, long alignment) {
        if (elements < 1 || elements > MAX_SIZE) {
            throw new IllegalArgumentException("A BufPool has 1 to " + MAX_SIZE + " buffers, and not " + elements);
        }
        if (elementSize < 1) {
            throw new IllegalArgumentException("The buffers of a BufPool have at least 1 byte, and not " + elementSize);
        }
        if (alignment < 1 || Long.bitCount(alignment) != 1) {
            throw new IllegalArgumentException("An alignment is a power of two, and not " + alignment);
        }
        if (!fits(map, elements, elementSize, alignment)) {
            throw new IllegalArgumentException(elements + " buffers of " + elementSize + " bytes"
                    + (alignment == 1 ? "" : ", each at a multiple of " + alignment + ",") + " do not fit into " + map);
        }
    }

    /** Avoids overflows. DOCA 2.5 needs the padding behind the last buffer as well. */
    private static boolean fits(MapState map, int elements, long elementSize, long alignment) {
        long room = map.length() - (-map.base() & (alignment - 1));
        if (elementSize > room) {
            return false;
        }
        long distance = (elementSize + alignment - 1) & -alignment;
        return distance > 0 && distance <= room / elements;
    }

    /** The SDK places the buffers from the beginning of the exported memory, and an import may begin behind that. */
    private static void checkBeginning(MapState map) {
        long beginning = new NativeMap(map.pointer())
                .range("creating a BufPool in " + map)
                .address();
        if (beginning != map.base()) {
            throw new IllegalArgumentException("A BufPool begins where the exported memory begins, and " + map
                    + " begins " + (map.base() - beginning) + " bytes behind that");
        }
    }

    private static MemorySegment start(
            MapState map, BufElements mirrors, long elementSize, long alignment, MemorySegment out) {
        Calls.check(
                DocaCommon.doca_buf_pool_create(
                        mirrors.size(), elementSize, MemorySegment.ofAddress(map.pointer()), out),
                "doca_buf_pool_create",
                "creating a " + mirrors.owner());
        MemorySegment pool = out.get(ADDRESS, 0);
        try {
            if (alignment > 1) {
                Calls.check(
                        DocaCommon.doca_buf_pool_set_element_alignment(pool, alignment),
                        "doca_buf_pool_set_element_alignment",
                        "aligning a " + mirrors.owner() + " to " + alignment);
            }
            Calls.check(DocaCommon.doca_buf_pool_start(pool), "doca_buf_pool_start", "starting a " + mirrors.owner());
        } catch (Throwable failure) {
            Undo.after(failure, () -> destroy(pool, "undoing the failed creation"));
            throw failure;
        }
        return pool;
    }

    private static void destroy(MemorySegment pool, String attempt) {
        Calls.check(DocaCommon.doca_buf_pool_destroy(pool), "doca_buf_pool_destroy", attempt);
    }
}
