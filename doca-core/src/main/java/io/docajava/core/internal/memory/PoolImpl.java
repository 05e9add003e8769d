/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.DocaException;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.lifecycle.Undo;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufPool;
import io.docajava.core.memory.Mmap;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.hot.BufCalls;
import io.docajava.ffi.internal.StackGuard;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** The implementation of {@link BufPool}. */
public final class PoolImpl extends BufOwnerBase implements BufPool {

    private final Mmap memory;
    private final long elementSize;

    private PoolImpl(Mmap memory, BufElements elements, long elementSize, long alignment) {
        super(
                elements,
                out -> start(MmapImpl.state(memory), elements, elementSize, alignment, out),
                MmapImpl.state(memory).resource());
        this.memory = memory;
        this.elementSize = elementSize;
    }

    public static BufPool create(Mmap memory, int elements, long elementSize) {
        return create(memory, elements, elementSize, 1);
    }

    public static BufPool create(Mmap memory, int elements, long elementSize, long alignment) {
        Objects.requireNonNull(memory, "memory");
        StackGuard.check();
        MapState map = MmapImpl.state(memory);
        checkLayout(map, elements, elementSize, alignment);
        BufElements mirrors = new BufElements("BufPool of " + elements + " x " + elementSize + " bytes", elements);
        // Until the pool itself keeps the map open.
        map.hold();
        try {
            checkBeginning(map);
            return new PoolImpl(memory, mirrors, elementSize, alignment);
        } finally {
            map.release();
        }
    }

    @Override
    public Buf take() {
        StackGuard.check();
        check();
        checkNotExhausted();
        MapState map = MmapImpl.state(memory);
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
        return new BufImpl(this, memory, elements().take(map, buf, address, elementSize, 0));
    }

    @Override
    public Mmap memory() {
        return memory;
    }

    @Override
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
            Calls.discardErrors();
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
        Calls.prepare(DocaCommon.doca_buf_pool_destroy$handle());
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
