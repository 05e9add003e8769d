/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.lifecycle.Undo;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.hot.BufCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Native buffers for parts of the buffers of users, in an inventory of their own. They do not keep their maps open: the buffers
 * of the users do that, and must outlive them. Used by one thread.
 */
public final class PartBufs implements AutoCloseable {

    private final MemorySegment inventory;
    private final List<BufElement> lists = new ArrayList<>();

    /** Creates an inventory ({@code doca_buf_inventory_create}, {@code doca_buf_inventory_start}) of {@code size} buffers. */
    public PartBufs(int size) {
        String attempt = "creating an inventory of " + size + " buffers for the parts of a list";
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment out = scratch.allocate(ADDRESS);
            Calls.check(DocaCommon.doca_buf_inventory_create(size, out), "doca_buf_inventory_create", attempt);
            inventory = out.get(ADDRESS, 0);
        }
        try {
            Calls.check(DocaCommon.doca_buf_inventory_start(inventory), "doca_buf_inventory_start", attempt);
        } catch (Throwable failure) {
            Undo.after(failure, this::close);
            throw failure;
        }
    }

    /**
     * Takes a buffer that is the only one of its list ({@code doca_buf_inventory_buf_get_by_args}).
     *
     * @param address of its range and of its data segment
     * @param length of its range, in bytes
     * @param dataLength of its data segment, in bytes
     */
    public BufElement take(MapState map, long address, long length, long dataLength) {
        long pointer;
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment out = scratch.allocate(JAVA_LONG);
            Calls.check(
                    BufCalls.get(
                            inventory.address(), map.pointer(), address, length, address, dataLength, out.address()),
                    "doca_buf_inventory_buf_get_by_args",
                    "taking a buffer for a part of a list");
            pointer = out.get(JAVA_LONG, 0);
        }
        BufElement element = new BufElement();
        element.take(map, pointer, address, length, dataLength);
        lists.add(element);
        return element;
    }

    /** Takes a buffer as {@link #take} does and appends it to a list ({@code doca_buf_chain_list}). */
    public void append(BufElement list, MapState map, long address, long length, long dataLength) {
        BufElement element = take(map, address, length, dataLength);
        Calls.check(
                BufCalls.chain(list.pointer(), element.pointer()),
                "doca_buf_chain_list",
                "appending a buffer for a part of a list");
        lists.removeLast();
        list.append(element);
    }

    /** Returns all buffers, which no task may use any more, and destroys the inventory ({@code doca_buf_inventory_destroy}). */
    @Override
    public void close() {
        String attempt = "returning the buffers for the parts of a list";
        for (BufElement list : lists) {
            Calls.check(BufCalls.decrementReferences(list.pointer(), 0), "doca_buf_dec_refcount", attempt);
        }
        lists.clear();
        Calls.check(DocaCommon.doca_buf_inventory_destroy(inventory), "doca_buf_inventory_destroy", attempt);
    }
}
