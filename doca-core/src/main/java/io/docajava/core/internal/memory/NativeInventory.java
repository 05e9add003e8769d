/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.lifecycle.Undo;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.hot.BufCalls;
import java.lang.foreign.MemorySegment;

/** A started {@code struct doca_buf_inventory}. */
public final class NativeInventory {

    private final MemorySegment inventory;
    private final String description;
    /** Memory for a pointer that the SDK writes. */
    private final MemorySegment out;

    /**
     * Creates and starts an inventory.
     *
     * @param description names it in messages
     * @param out memory for one pointer, which lives at least as long
     */
    public NativeInventory(String description, int size, MemorySegment out) {
        this.description = description;
        this.out = out;
        Calls.check(
                DocaCommon.doca_buf_inventory_create(size, out),
                "doca_buf_inventory_create",
                "creating a " + description);
        inventory = out.get(ADDRESS, 0);
        try {
            Calls.check(
                    DocaCommon.doca_buf_inventory_start(inventory),
                    "doca_buf_inventory_start",
                    "starting a " + description);
        } catch (Throwable failure) {
            Undo.after(failure, () -> destroy("undoing the failed creation"));
            throw failure;
        }
    }

    /** Takes a buffer whose data segment starts at its first byte, and returns its pointer. */
    public long take(MapState map, long address, long length, long dataLength) {
        int result =
                BufCalls.get(inventory.address(), map.pointer(), address, length, address, dataLength, out.address());
        if (result != 0) {
            throw Calls.failure(result, "doca_buf_inventory_buf_get_by_args", "taking a buffer of the " + description);
        }
        return out.get(JAVA_LONG, 0);
    }

    /** Returns a buffer, or a whole list by its first one. */
    public void giveBack(long buf) {
        int result = BufCalls.decrementReferences(buf, 0);
        if (result != 0) {
            throw Calls.failure(result, "doca_buf_dec_refcount", "returning a buffer to the " + description);
        }
    }

    /** Destroys the inventory. */
    public void close() {
        destroy("closing the " + description);
    }

    private void destroy(String attempt) {
        Calls.check(DocaCommon.doca_buf_inventory_destroy(inventory), "doca_buf_inventory_destroy", attempt);
    }
}
