/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.core.Doca;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.BufListBuilder;
import io.docajava.core.memory.Mmap;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.hot.BufCalls;
import io.docajava.ffi.internal.NativeLoading;
import io.docajava.ffi.internal.StackGuard;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** The implementation of {@link BufInventory}. */
public final class InventoryImpl extends BufOwnerBase implements BufInventory {

    /** True if the loaded SDK can aim a taken buffer, unless {@link #isAimedAt} has found that it does so wrongly. */
    private boolean aims;

    /** True after {@link #isAimedAt} has confirmed that the SDK aims buffers correctly. */
    private boolean aimsAsExpected;

    private InventoryImpl(BufElements elements, boolean aims) {
        super(elements, out -> NativeInventory.start(elements.owner(), elements.size(), out));
        this.aims = aims;
    }

    public static BufInventory create(int size) {
        if (size < 1 || size > MAX_SIZE) {
            throw new IllegalArgumentException(
                    "A BufInventory has room for 1 to " + MAX_SIZE + " buffers, and not " + size);
        }
        Doca.load();
        BufElements elements = new BufElements("BufInventory of " + size, size);
        return new InventoryImpl(elements, NativeLoading.sdk().has("doca_buf_inventory_buf_reuse_by_args"));
    }

    @Override
    public Buf data(Mmap memory, long offset, long length) {
        Objects.requireNonNull(memory, "memory");
        StackGuard.check();
        return take(memory, offset, length, length);
    }

    @Override
    public Buf space(Mmap memory, long offset, long length) {
        Objects.requireNonNull(memory, "memory");
        StackGuard.check();
        return take(memory, offset, length, 0);
    }

    @Override
    public BufListBuilder list() {
        return new ListBuilderImpl(this);
    }

    @Override
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

    /** Takes a buffer with a data segment of {@code dataLength} bytes at its beginning. */
    BufImpl take(Mmap memory, long offset, long length, long dataLength) {
        check();
        MapState map = MmapImpl.state(memory);
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
        return new BufImpl(this, memory, elements().take(map, buf, address, length, dataLength));
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
