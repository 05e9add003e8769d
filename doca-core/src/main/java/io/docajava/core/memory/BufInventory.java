/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.DocaException;
import io.docajava.core.Doca;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.BufElements;
import io.docajava.core.internal.memory.MapState;
import io.docajava.ffi.DocaFunctionException;
import io.docajava.ffi.DocaLibrary;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.hot.BufCalls;
import io.docajava.ffi.internal.StackGuard;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A stock of buffers that can be pointed at any memory ({@code struct doca_buf_inventory}). The inventory and its buffers
 * belong to the thread that created it; when that one has ended, to the first thread that uses them. Closing it returns
 * all of its buffers.
 */
public final class BufInventory extends BufOwner {

    private final MemorySegment pointer;

    /** True if the loaded SDK can aim a buffer that was taken. */
    private boolean aims = DocaLibrary.load().has("doca_buf_inventory_buf_reuse_by_args");

    /** True if it was seen to do so. */
    private boolean aimsAsExpected;

    private BufInventory(MemorySegment pointer, BufElements elements) {
        super(elements);
        this.pointer = pointer;
    }

    /**
     * Creates an inventory ({@code doca_buf_inventory_create}, {@code doca_buf_inventory_start}).
     *
     * @param size how many buffers can be taken at the same time, counting each element of a list; from 1 to 16777216
     * @throws IllegalArgumentException if it is out of that range
     * @throws DocaException if the SDK refuses
     */
    public static BufInventory create(int size) {
        if (size < 1 || size > MAX_SIZE) {
            throw new IllegalArgumentException(
                    "A BufInventory has room for 1 to " + MAX_SIZE + " buffers, and not " + size);
        }
        Doca.load();
        BufElements elements = new BufElements("BufInventory of " + size, size);
        return new BufInventory(start(size), elements);
    }

    /**
     * Takes a buffer that is full: all of its range is data, to be read ({@code doca_buf_inventory_buf_get_by_data}).
     *
     * @param offset where it begins in the memory, in bytes
     * @param length its size in bytes; 0 is allowed, and refused by those tasks that cannot do nothing
     * @throws IndexOutOfBoundsException if the range is not inside of the memory
     * @throws IllegalStateException if the inventory is closed, the memory map closed, or the thread the wrong one
     * @throws ResourceExhaustedException if no buffer is free
     */
    public Buf data(Mmap memory, long offset, long length) {
        Objects.requireNonNull(memory, "memory");
        StackGuard.check();
        return take(memory, offset, length, length);
    }

    /**
     * Takes a buffer that is empty: all of its range is room to be written ({@code doca_buf_inventory_buf_get_by_addr}).
     *
     * @param offset where it begins in the memory, in bytes
     * @param length its size in bytes
     * @throws IndexOutOfBoundsException if the range is not inside of the memory
     * @throws IllegalStateException if the inventory is closed, the memory map closed, or the thread the wrong one
     * @throws ResourceExhaustedException if no buffer is free
     */
    public Buf space(Mmap memory, long offset, long length) {
        Objects.requireNonNull(memory, "memory");
        StackGuard.check();
        return take(memory, offset, length, 0);
    }

    /**
     * Begins a list of buffers, to gather data from several ranges or to scatter it to them.
     *
     * @return its builder, which takes the buffers when the list is complete
     */
    public BufListBuilder list() {
        return new BufListBuilder(this);
    }

    /**
     * Makes room for more buffers ({@code doca_buf_inventory_expand}). Since DOCA 3.0.
     *
     * @param more how many, at least 1; all in all there can be 16777216
     * @throws IllegalArgumentException if it is out of that range
     * @throws IllegalStateException if the inventory is closed, or the thread the wrong one
     * @throws DocaFunctionException if the loaded SDK is older
     * @throws DocaException if the SDK refuses
     */
    public void expand(int more) {
        StackGuard.check();
        check();
        if (more < 1 || more > MAX_SIZE - size()) {
            throw new IllegalArgumentException("A BufInventory has room for at most " + MAX_SIZE + " buffers: one with "
                    + size() + " cannot have " + more + " more");
        }
        elements()
                .expand(
                        more,
                        () -> Calls.check(
                                DocaCommon.doca_buf_inventory_expand(pointer, more),
                                "doca_buf_inventory_expand",
                                "expanding " + this + " by " + more));
    }

    @Override
    void aim(BufElement element, long address, long length, long dataLength) {
        if (aims) {
            int result = BufCalls.reuse(element.pointer(), address, length, address, dataLength);
            if (result != 0) {
                throw Calls.failure(
                        result, "doca_buf_inventory_buf_reuse_by_args", "aiming a buffer of " + this + " anew");
            }
            aimsAsExpected = aimsAsExpected || isAimedAt(element, address, length, dataLength);
            aims = aimsAsExpected;
        }
        if (!aims) {
            retake(element, address, length, dataLength);
        }
        element.aim(address, length, dataLength);
    }

    /**
     * Asks the SDK what became of a buffer. Its call is younger than the headers that are known here: should a release
     * take the arguments differently, a device would reach memory that nobody meant.
     */
    private boolean isAimedAt(BufElement element, long address, long length, long dataLength) {
        MemorySegment buf = MemorySegment.ofAddress(element.pointer());
        return DocaCommon.doca_buf_get_head(buf, out()) == 0
                && out().get(JAVA_LONG, 0) == address
                && DocaCommon.doca_buf_get_len(buf, out()) == 0
                && out().get(JAVA_LONG, 0) == length
                && DocaCommon.doca_buf_get_data(buf, out()) == 0
                && out().get(JAVA_LONG, 0) == address
                && DocaCommon.doca_buf_get_data_len(buf, out()) == 0
                && out().get(JAVA_LONG, 0) == dataLength;
    }

    @Override
    void destroy() {
        Calls.check(DocaCommon.doca_buf_inventory_destroy(pointer), "doca_buf_inventory_destroy", "closing " + this);
    }

    Buf take(Mmap memory, long offset, long length, long dataLength) {
        check();
        MapState map = memory.state();
        checkInside(map, offset, length);
        checkNotExhausted();
        long address = map.base() + offset;
        map.hold();
        long buf;
        try {
            buf = take(map, address, length, dataLength);
        } catch (Throwable failure) {
            map.release();
            throw failure;
        }
        return new Buf(this, memory, elements().take(map, buf, address, length, dataLength));
    }

    private long take(MapState map, long address, long length, long dataLength) {
        int result =
                BufCalls.get(pointer.address(), map.pointer(), address, length, address, dataLength, out().address());
        if (result != 0) {
            throw Calls.failure(result, "doca_buf_inventory_buf_get_by_args", "taking a buffer of " + this);
        }
        return out().get(JAVA_LONG, 0);
    }

    /** Gives a native buffer back and takes one in its place, which there is since no other thread takes any. */
    private void retake(BufElement element, long address, long length, long dataLength) {
        int result = BufCalls.decrementReferences(element.pointer(), 0);
        if (result != 0) {
            throw Calls.failure(result, "doca_buf_dec_refcount", "aiming a buffer of " + this + " anew");
        }
        try {
            element.replace(take(element.map(), address, length, dataLength));
        } catch (Throwable failure) {
            elements().giveBack(element);
            throw failure;
        }
    }

    private static MemorySegment start(int size) {
        MemorySegment inventory;
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment out = scratch.allocate(ADDRESS);
            Calls.check(
                    DocaCommon.doca_buf_inventory_create(size, out),
                    "doca_buf_inventory_create",
                    "creating a BufInventory of " + size);
            inventory = out.get(ADDRESS, 0);
        }
        int result = DocaCommon.doca_buf_inventory_start(inventory);
        if (result != 0) {
            DocaException failure =
                    Calls.failure(result, "doca_buf_inventory_start", "starting a BufInventory of " + size);
            int undone = DocaCommon.doca_buf_inventory_destroy(inventory);
            if (undone != 0) {
                failure.addSuppressed(
                        Calls.failure(undone, "doca_buf_inventory_destroy", "undoing the failed creation"));
            }
            throw failure;
        }
        return inventory;
    }
}
