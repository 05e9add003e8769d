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
    private final String name;
    /** Memory for a pointer that the SDK writes. */
    private final MemorySegment out;

    /**
     * Creates and starts an inventory.
     *
     * @param description names it in messages
     * @param out memory for one pointer, which lives at least as long
     */
    public NativeInventory(String description, int size, MemorySegment out) {
        this.name = "the " + description;
        this.out = out;
        inventory = start(description, size, out);
    }

    /** Takes a buffer whose data segment starts at its first byte, and returns its pointer. */
    public long take(MapState map, long address, long length, long dataLength) {
        return take(inventory, map, address, length, dataLength, out, name);
    }

    /** Returns a buffer, or a whole list by its first one. */
    public void giveBack(long buf) {
        giveBack(buf, name);
    }

    /** Destroys the inventory. */
    public void close() {
        destroy(inventory, "closing " + name);
    }

    /** Creates and starts an inventory, and returns its pointer; see the constructor. */
    public static MemorySegment start(String description, int size, MemorySegment out) {
        Calls.prepare(DocaCommon.doca_buf_inventory_start$handle(), DocaCommon.doca_buf_inventory_destroy$handle());
        Calls.check(
                DocaCommon.doca_buf_inventory_create(size, out),
                "doca_buf_inventory_create",
                "creating a " + description);
        MemorySegment inventory = out.get(ADDRESS, 0);
        try {
            Calls.check(
                    DocaCommon.doca_buf_inventory_start(inventory),
                    "doca_buf_inventory_start",
                    "starting a " + description);
        } catch (Throwable failure) {
            Undo.after(failure, () -> destroy(inventory, "undoing the failed creation"));
            throw failure;
        }
        return inventory;
    }

    /**
     * Takes a buffer of an inventory whose data segment starts at its first byte, and returns its pointer.
     *
     * @param owner names the inventory in messages
     */
    public static long take(
            MemorySegment inventory,
            MapState map,
            long address,
            long length,
            long dataLength,
            MemorySegment out,
            Object owner) {
        int result =
                BufCalls.get(inventory.address(), map.pointer(), address, length, address, dataLength, out.address());
        if (result != 0) {
            throw Calls.failure(result, "doca_buf_inventory_buf_get_by_args", "taking a buffer of " + owner);
        }
        return out.get(JAVA_LONG, 0);
    }

    /**
     * Returns a buffer to its inventory or pool, or a whole list by its first one.
     *
     * @param owner names the inventory or pool in messages
     */
    public static void giveBack(long buf, Object owner) {
        int result = BufCalls.decrementReferences(buf, 0);
        if (result != 0) {
            throw Calls.failure(result, "doca_buf_dec_refcount", "returning a buffer to " + owner);
        }
    }

    /** Destroys an inventory. */
    public static void destroy(MemorySegment inventory, String attempt) {
        Calls.check(DocaCommon.doca_buf_inventory_destroy(inventory), "doca_buf_inventory_destroy", attempt);
    }
}
