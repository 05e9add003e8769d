/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.memory;

import io.docajava.core.internal.call.Calls;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.Mmap;
import io.docajava.ffi.hot.BufCalls;
import io.docajava.ffi.internal.StackGuard;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** The implementation of {@link Buf}. */
public final class BufImpl implements Buf {

    private final BufOwnerBase owner;
    private final Mmap memory;
    private final BufElement element;
    private final int use;

    BufImpl(BufOwnerBase owner, Mmap memory, BufElement element) {
        this.owner = owner;
        this.memory = memory;
        this.element = element;
        this.use = element.uses();
    }

    @Override
    public Mmap memory() {
        return memory;
    }

    @Override
    public long offset() {
        check();
        return element.head() - element.map().base();
    }

    @Override
    public long length() {
        check();
        return element.length();
    }

    @Override
    public long dataOffset() {
        check();
        return element.data() - element.head();
    }

    @Override
    public long dataLength() {
        check();
        return element.dataLength();
    }

    @Override
    public long remaining() {
        check();
        return element.tailLength();
    }

    @Override
    public int elements() {
        return list().elements();
    }

    @Override
    public MemorySegment data() {
        check();
        return memory.segment().asSlice(element.data() - element.map().base(), element.dataLength());
    }

    @Override
    public void setData(long offset, long length) {
        checkIdle();
        if (offset < 0 || length < 0 || offset > element.length() - length) {
            throw new IndexOutOfBoundsException("A data segment of " + length + " bytes at " + offset
                    + " is not inside of a buffer of " + element.length() + " bytes");
        }
        element.setData(element.head() + offset, length);
    }

    @Override
    public void clear() {
        checkIdle();
        element.clear();
    }

    @Override
    public void clearList() {
        for (BufElement part = idleList(); part != null; part = part.next()) {
            part.clear();
        }
    }

    @Override
    public Buf reuseAsData(long offset, long length) {
        return aim(offset, length, length);
    }

    @Override
    public Buf reuseAsSpace(long offset, long length) {
        return aim(offset, length, 0);
    }

    @Override
    public Buf append(Buf tail) {
        Objects.requireNonNull(tail, "tail");
        StackGuard.check();
        chain((BufImpl) tail);
        return this;
    }

    /** Does the work of {@link #append} after the stack has been checked. */
    void chain(BufImpl tail) {
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

    @Override
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
    public static BufElement list(Buf buf) {
        Objects.requireNonNull(buf, "buf");
        return ((BufImpl) buf).list();
    }

    private BufElement list() {
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
        BufOwnerBase.checkInside(map, offset, length);
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
