/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.DocaException;
import io.docajava.core.Doca;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.BufElements;
import io.docajava.core.internal.memory.MapState;
import io.docajava.core.internal.memory.NativeInventory;
import io.docajava.ffi.DocaFunctionException;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.hot.BufCalls;
import io.docajava.ffi.internal.NativeLoading;
import io.docajava.ffi.internal.StackGuard;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * An inventory of buffers that can point into any memory map ({@code struct doca_buf_inventory}). The inventory and its buffers
 * belong to the thread that created the inventory. After that thread has ended, they belong to the first thread that uses them.
 * Closing the inventory closes all of its buffers.
 */
public final class BufInventory extends BufOwner {

    /** True if the loaded SDK can aim a taken buffer, unless {@link #isAimedAt} has found that it does so wrongly. */
    private boolean aims;

    /** True after {@link #isAimedAt} has confirmed that the SDK aims buffers correctly. */
    private boolean aimsAsExpected;

    private BufInventory(BufElements elements, boolean aims) {
        super(elements, out -> NativeInventory.start(elements.owner(), elements.size(), out));
        this.aims = aims;
    }

    /**
     * Creates an inventory ({@code doca_buf_inventory_create}, {@code doca_buf_inventory_start}).
     *
     * @param size how many buffers can be taken at the same time, counting each element of a list; from 1 to 16777216
     * @return the inventory, which belongs to the calling thread and is to be closed by it
     * @throws IllegalArgumentException if {@code size} is out of that range
     * @throws DocaException if the SDK refuses
     */
    public static BufInventory create(int size) {
        if (size < 1 || size > MAX_SIZE) {
            throw new IllegalArgumentException(
                    "A BufInventory has room for 1 to " + MAX_SIZE + " buffers, and not " + size);
        }
        Doca.load();
        BufElements elements = new BufElements("BufInventory of " + size, size);
        return new BufInventory(elements, NativeLoading.sdk().has("doca_buf_inventory_buf_reuse_by_args"));
    }

    /**
     * Takes a full buffer: all of its range is data ({@code doca_buf_inventory_buf_get_by_data}).
     *
     * @param memory to point into; it cannot be closed before the buffer
     * @param offset of the buffer in the memory, in bytes
     * @param length of the buffer in bytes; 0 is allowed here, but some tasks refuse empty buffers
     * @return the buffer, which returns to this inventory when it is closed
     * @throws IndexOutOfBoundsException if the range is not inside the memory
     * @throws IllegalStateException if the inventory or the memory map is closed, the memory was freed, or another thread is the owner
     * @throws ResourceExhaustedException if no buffer is free
     * @throws DocaException if the SDK refuses
     */
    public Buf data(Mmap memory, long offset, long length) {
        Objects.requireNonNull(memory, "memory");
        StackGuard.check();
        return take(memory, offset, length, length);
    }

    /**
     * Takes an empty buffer: tasks can write to all of its range ({@code doca_buf_inventory_buf_get_by_addr}).
     *
     * @param memory to point into; it cannot be closed before the buffer
     * @param offset of the buffer in the memory, in bytes
     * @param length of the buffer in bytes
     * @return the buffer, which returns to this inventory when it is closed
     * @throws IndexOutOfBoundsException if the range is not inside the memory
     * @throws IllegalStateException for the same reasons as {@link #data}
     * @throws ResourceExhaustedException if no buffer is free
     * @throws DocaException if the SDK refuses
     */
    public Buf space(Mmap memory, long offset, long length) {
        Objects.requireNonNull(memory, "memory");
        StackGuard.check();
        return take(memory, offset, length, 0);
    }

    /**
     * Begins a list of buffers, to gather data from several ranges or to scatter it to them.
     *
     * @return a builder, which takes no buffer before {@link BufListBuilder#build()}
     */
    public BufListBuilder list() {
        return new BufListBuilder(this);
    }

    /**
     * Adds buffers to the inventory ({@code doca_buf_inventory_expand}). Needs DOCA 3.0.
     *
     * @param more the number of buffers to add, at least 1; an inventory has at most 16777216 in all
     * @throws IllegalArgumentException if {@code more} is out of that range
     * @throws IllegalStateException if the inventory is closed, or the calling thread is not the owner
     * @throws DocaFunctionException if the loaded SDK is older than 3.0
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
                                DocaCommon.doca_buf_inventory_expand(pointer(), more),
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
     * Returns whether the SDK has aimed a buffer as requested. The C function is newer than the headers that doca-java was built
     * from: if a release took its arguments in another order, a device would access the wrong memory.
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
        NativeInventory.destroy(pointer(), "closing " + this);
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
        return NativeInventory.take(pointer(), map, address, length, dataLength, out(), this);
    }

    /** Returns a native buffer and takes another one. One is always free, since no other thread takes buffers. */
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
}
