/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.core.Doca;
import io.docajava.core.DocaException;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.lifecycle.OwnerThread;
import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.MapState;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.hot.BufCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A pool of buffers ({@code struct doca_buf_inventory}). The inventory and its buffers belong to the thread that created
 * it; any thread may close it when that one has ended. Closing it returns all of its buffers.
 */
public final class BufInventory implements AutoCloseable {

    /** Far more than any device works on at a time; the descriptors of so many take gigabytes. */
    private static final int MAX_SIZE = 1 << 24;

    private final OwnerThread owner = new OwnerThread();
    private final Resource resource;
    private final MemorySegment pointer;
    private final Arena arena;
    private final MemorySegment bufOut;

    private final BufElement[] elements;
    /** The elements not taken are those from here on. */
    private final BufElement[] pool;

    private int taken;

    private BufInventory(int size) {
        this.elements = new BufElement[size];
        for (int i = 0; i < size; i++) {
            elements[i] = new BufElement();
        }
        this.pool = elements.clone();
        this.pointer = start(size);
        // Not a confined one: another thread may close the inventory of a thread that has ended.
        this.arena = Arena.ofShared();
        this.bufOut = arena.allocate(JAVA_LONG);
        this.resource = Resource.open(this, "BufInventory of " + size);
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
        return new BufInventory(size);
    }

    /**
     * Takes a buffer that is full: all of its range is data, to be read ({@code doca_buf_inventory_buf_get_by_data}).
     *
     * @param offset where it begins in the memory, in bytes
     * @param length its size in bytes; 0 is allowed, and refused by those tasks that cannot do nothing
     * @throws IndexOutOfBoundsException if the range is not inside of the memory
     * @throws IllegalStateException if the inventory is exhausted or closed, the memory map closed, or the thread the
     *     wrong one
     */
    public Buf data(Mmap memory, long offset, long length) {
        return take(memory, offset, length, length);
    }

    /**
     * Takes a buffer that is empty: all of its range is room to be written ({@code doca_buf_inventory_buf_get_by_addr}).
     *
     * @param offset where it begins in the memory, in bytes
     * @param length its size in bytes
     * @throws IndexOutOfBoundsException if the range is not inside of the memory
     * @throws IllegalStateException if the inventory is exhausted or closed, the memory map closed, or the thread the
     *     wrong one
     */
    public Buf space(Mmap memory, long offset, long length) {
        return take(memory, offset, length, 0);
    }

    /** How many buffers can be taken at the same time. */
    public int size() {
        return elements.length;
    }

    /**
     * How many more buffers can be taken now.
     *
     * @throws IllegalStateException if the inventory is closed, or the thread the wrong one
     */
    public int available() {
        check();
        return elements.length - taken;
    }

    /**
     * Returns all buffers and destroys the inventory ({@code doca_buf_inventory_destroy}). Closing it again does nothing.
     *
     * @throws IllegalStateException if a task in flight uses one of its buffers, or the thread is the wrong one; it stays
     *     open
     * @throws DocaException if the SDK refuses
     */
    @Override
    public void close() {
        if (resource.state() == Resource.State.CLOSED) {
            return;
        }
        owner.checkUnlessEnded(this);
        resource.close(this::destroy);
    }

    @Override
    public String toString() {
        return resource.description();
    }

    /** Refuses use of a closed inventory and by other threads. */
    void check() {
        owner.check(this);
        resource.checkOpen();
    }

    /** Returns the list of a first element to the SDK, and its elements to the pool. */
    void release(BufElement list) {
        int result = BufCalls.decrementReferences(list.pointer(), 0);
        if (result != 0) {
            throw Calls.failure(result, "doca_buf_dec_refcount", "returning a buffer to " + resource.description());
        }
        for (BufElement element = list; element != null; ) {
            BufElement next = element.next();
            element.giveBack();
            pool[--taken] = element;
            element = next;
        }
    }

    private Buf take(Mmap memory, long offset, long length, long dataLength) {
        check();
        MapState map = memory.state();
        if (offset < 0 || length < 0 || offset > map.length() - length) {
            throw new IndexOutOfBoundsException(
                    "A buffer of " + length + " bytes at " + offset + " is not inside of " + map);
        }
        if (taken == elements.length) {
            throw new IllegalStateException(
                    resource.description() + " is exhausted: all " + elements.length + " buffers are taken");
        }
        long address = map.base() + offset;
        map.hold();
        long buf;
        try {
            buf = take(map, address, length, dataLength);
        } catch (Throwable failure) {
            map.release();
            throw failure;
        }
        BufElement element = pool[taken++];
        element.take(map, buf, address, length, dataLength);
        return new Buf(this, memory, element);
    }

    private long take(MapState map, long address, long length, long dataLength) {
        int result =
                BufCalls.get(pointer.address(), map.pointer(), address, length, address, dataLength, bufOut.address());
        if (result != 0) {
            throw Calls.failure(
                    result, "doca_buf_inventory_buf_get_by_args", "taking a buffer of " + resource.description());
        }
        return bufOut.get(JAVA_LONG, 0);
    }

    private void destroy() {
        checkIdle();
        for (BufElement element : elements) {
            if (element.isTaken() && element.isFirst()) {
                release(element);
            }
        }
        Calls.check(
                DocaCommon.doca_buf_inventory_destroy(pointer),
                "doca_buf_inventory_destroy",
                "closing " + resource.description());
        arena.close();
    }

    private void checkIdle() {
        int busy = 0;
        for (BufElement element : elements) {
            if (element.isTaken() && element.isFirst() && element.tasks() > 0) {
                busy++;
            }
        }
        if (busy > 0) {
            throw new IllegalStateException(resource.description() + " cannot be closed while tasks in flight use "
                    + (busy == 1 ? "1 buffer" : busy + " buffers"));
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
