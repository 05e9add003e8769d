/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import io.docajava.DocaException;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.MapState;
import io.docajava.ffi.hot.BufCalls;
import io.docajava.ffi.internal.StackGuard;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A buffer ({@code struct doca_buf}): a range of a memory map with a data segment in it. Tasks read the data segment, and write
 * to the bytes behind it; a write extends the data segment.
 *
 * <p>Buffers can be chained to a list, which tasks use as one buffer: see {@link BufInventory#list()} and {@link #append}. The
 * first buffer then represents the list, and the others cannot be used by themselves.
 *
 * <p>A buffer belongs to the thread of its inventory or pool. It cannot be changed or closed while a task in flight uses it.
 */
public final class Buf implements AutoCloseable {

    private final BufOwner owner;
    private final Mmap memory;
    private final BufElement element;
    private final int use;

    Buf(BufOwner owner, Mmap memory, BufElement element) {
        this.owner = owner;
        this.memory = memory;
        this.element = element;
        this.use = element.uses();
    }

    /** {@return the memory map that the buffer points into} */
    public Mmap memory() {
        return memory;
    }

    /**
     * {@return the offset of the buffer in its memory map, in bytes}
     *
     * @throws IllegalStateException if it is closed, or the calling thread is not its owner
     */
    public long offset() {
        check();
        return element.head() - element.map().base();
    }

    /**
     * {@return the size of the buffer's range in bytes ({@code doca_buf_get_len})}
     *
     * @throws IllegalStateException if it is closed, or the calling thread is not its owner
     */
    public long length() {
        check();
        return element.length();
    }

    /**
     * {@return the offset of the data segment in the buffer, in bytes ({@code doca_buf_get_data})}
     *
     * @throws IllegalStateException if it is closed, or the calling thread is not its owner
     */
    public long dataOffset() {
        check();
        return element.data() - element.head();
    }

    /**
     * {@return the size of the data segment in bytes ({@code doca_buf_get_data_len})}
     *
     * @throws IllegalStateException if it is closed, or the calling thread is not its owner
     */
    public long dataLength() {
        check();
        return element.dataLength();
    }

    /**
     * {@return the number of bytes behind the data segment, where tasks write}
     *
     * @throws IllegalStateException if it is closed, or the calling thread is not its owner
     */
    public long remaining() {
        check();
        return element.tailLength();
    }

    /**
     * {@return the number of buffers in the list that begins with this one; 1 for a single buffer ({@code doca_buf_get_list_len})}
     *
     * @throws IllegalStateException if it is closed or not the first of its list, or the calling thread is not its owner
     */
    public int elements() {
        return list().elements();
    }

    /**
     * Returns the bytes of the data segment. Do not write them while a task reads them, or read them while a task writes them.
     *
     * @return a view of the memory map's segment; later changes of the data segment do not change its bounds
     * @throws IllegalStateException if it is closed, the memory is of another process, or the calling thread is not its owner
     */
    public MemorySegment data() {
        check();
        return memory.segment().asSlice(element.data() - element.map().base(), element.dataLength());
    }

    /**
     * Sets the data segment. It is passed to the SDK when a task uses the buffer ({@code doca_buf_set_data}).
     *
     * @param offset of the data segment in the buffer, in bytes
     * @param length of the data segment in bytes
     * @throws IndexOutOfBoundsException if the data segment is not inside the buffer
     * @throws IllegalStateException if the buffer is closed or used by a task in flight, or the calling thread is not its owner
     */
    public void setData(long offset, long length) {
        checkIdle();
        if (offset < 0 || length < 0 || offset > element.length() - length) {
            throw new IndexOutOfBoundsException("A data segment of " + length + " bytes at " + offset
                    + " is not inside of a buffer of " + element.length() + " bytes");
        }
        element.setData(element.head() + offset, length);
    }

    /**
     * Empties the data segment, whose beginning does not change. It is passed to the SDK when a task uses the buffer ({@code
     * doca_buf_set_data}).
     *
     * @throws IllegalStateException if the buffer is closed or used by a task in flight, or the calling thread is not its owner
     */
    public void clear() {
        checkIdle();
        element.clear();
    }

    /**
     * Empties the data segments of this buffer and of all others of its list, as {@link #clear()} does.
     *
     * @throws IllegalStateException if the buffer is closed, used by a task in flight, or not the first of its list, or
     *     the calling thread is not its owner
     */
    public void clearList() {
        for (BufElement part = idleList(); part != null; part = part.next()) {
            part.clear();
        }
    }

    /**
     * Moves this buffer to another range of the same memory and makes it full: all of the range is data. This is faster than
     * closing the buffer and taking another one, and allocates nothing ({@code doca_buf_inventory_buf_reuse_by_args}; before DOCA
     * 3.2 {@code doca_buf_dec_refcount} and {@code doca_buf_inventory_buf_get_by_args}).
     *
     * @param offset of the range in the memory, in bytes
     * @param length of the range in bytes
     * @return this buffer
     * @throws IndexOutOfBoundsException if the range is not inside of the memory
     * @throws IllegalStateException if the buffer is closed, used by a task in flight, in a list of several, or of a {@link
     *     BufPool}, the memory was freed, or the calling thread is not its owner
     * @throws DocaException if the SDK refuses; before DOCA 3.2 the buffer is then closed, if it was already returned to the SDK
     */
    public Buf aimData(long offset, long length) {
        return aim(offset, length, length);
    }

    /**
     * Moves this buffer as {@link #aimData} does, but makes it empty: tasks can write to all of the range.
     *
     * @param offset of the range in the memory, in bytes
     * @param length of the range in bytes
     * @return this buffer
     * @throws IndexOutOfBoundsException if the range is not inside of the memory
     * @throws IllegalStateException for the same reasons as {@link #aimData}
     * @throws DocaException if the SDK refuses, with the same effect as for {@link #aimData}
     */
    public Buf aimSpace(long offset, long length) {
        return aim(offset, length, 0);
    }

    /**
     * Appends a buffer, or the list that begins with it, to the list of this buffer ({@code doca_buf_chain_list}).
     *
     * @param tail a buffer that is the first of its list; it cannot be used by itself until it is detached
     * @return this buffer, which represents the whole list
     * @throws IllegalArgumentException if it is this buffer itself or a buffer of another inventory or pool
     * @throws IllegalStateException if either is closed, used by a task in flight, not the first of its list, or of another thread
     * @throws DocaException if the SDK refuses
     */
    public Buf append(Buf tail) {
        Objects.requireNonNull(tail, "tail");
        StackGuard.check();
        chain(tail);
        return this;
    }

    /** Does the work of {@link #append} after the stack has been checked. */
    void chain(Buf tail) {
        BufElement list = idleList();
        if (tail.element == element && tail.use == use) {
            throw new IllegalArgumentException("A buffer cannot be appended to itself");
        }
        if (tail.owner != owner) {
            throw new IllegalArgumentException("A buffer of " + tail.owner + " cannot be appended to one of " + owner
                    + ": lists are of one inventory or pool");
        }
        BufElement other = tail.idleList();
        int result = BufCalls.chain(list.pointer(), other.pointer());
        if (result != 0) {
            throw Calls.failure(result, "doca_buf_chain_list", "appending a buffer to a list");
        }
        list.append(other);
    }

    /**
     * Detaches this buffer, and all buffers behind it, from its list ({@code doca_buf_unchain_list}).
     *
     * @return this buffer, which is the first of its list again
     * @throws IllegalStateException if it is the first of its list, closed, used by a task in flight, or of another thread
     * @throws DocaException if the SDK refuses
     */
    public Buf detach() {
        StackGuard.check();
        checkIdle();
        if (element.isFirst()) {
            throw new IllegalStateException(
                    "The first buffer of a list cannot be detached from it, only one behind it");
        }
        int result = BufCalls.unchain(element.first().pointer(), element.pointer());
        if (result != 0) {
            throw Calls.failure(result, "doca_buf_unchain_list", "detaching a buffer from its list");
        }
        element.detach();
        return this;
    }

    /**
     * Returns the buffer, together with the list that begins with it, to the inventory or pool ({@code doca_buf_dec_refcount}).
     * Does nothing if the buffer is closed already, or was appended to another one: it is then returned with the list.
     *
     * @throws IllegalStateException if a task in flight uses it, or the calling thread is not its owner
     * @throws DocaException if the SDK refuses
     */
    @Override
    public void close() {
        if (element.uses() != use) {
            return;
        }
        StackGuard.checkToClose();
        giveBack();
    }

    /** Closes an open buffer after the stack has been checked. */
    void giveBack() {
        check();
        if (element.isFirst()) {
            owner.release(idleList());
        }
    }

    @Override
    public String toString() {
        return element.uses() == use
                ? "Buf of " + element.length() + " bytes in " + memory
                : "Buf in " + memory + ", closed";
    }

    /** Returns the element, which must be the first of its list. Allocates nothing. */
    BufElement list() {
        check();
        if (!element.isFirst()) {
            throw new IllegalStateException(
                    "A buffer in the middle of a list cannot be used by itself: use the first buffer of the list");
        }
        return element;
    }

    private Buf aim(long offset, long length, long dataLength) {
        StackGuard.check();
        checkIdle();
        if (!element.isSingle()) {
            throw new IllegalStateException("A buffer in a list of several cannot be aimed at another range");
        }
        MapState map = element.map();
        BufOwner.checkInside(map, offset, length);
        map.checkAlive();
        owner.aim(element, map.base() + offset, length, dataLength);
        return this;
    }

    private BufElement idleList() {
        BufElement list = list();
        refuseInFlight(list);
        return list;
    }

    private void checkIdle() {
        check();
        refuseInFlight(element.first());
    }

    /** Refuses a returned buffer. The inventory or pool of an open buffer is open, so it needs no check. */
    private void check() {
        owner.checkThread();
        if (element.uses() != use) {
            owner.check();
            throw new IllegalStateException(this + " cannot be used: it was returned to " + owner);
        }
    }

    private static void refuseInFlight(BufElement list) {
        if (list.tasks() > 0) {
            throw new IllegalStateException("A buffer that a task in flight uses cannot be changed or closed");
        }
    }
}
