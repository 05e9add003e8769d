/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.internal.lifecycle.OwnerThread;
import io.docajava.core.internal.lifecycle.OwningThread;
import io.docajava.core.internal.lifecycle.Resource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The part that inventories and pools have in common: their buffers, their thread and their life. */
abstract sealed class BufOwnerBase implements AutoCloseable permits InventoryImpl, PoolImpl {

    /** More buffers than any device uses at a time; the descriptors of this many take gigabytes. */
    static final int MAX_SIZE = 1 << 24;

    private final OwnerThread thread = new OwnerThread();
    /** The thread of the loop that created this object and closes it at its end; null if another thread created it. */
    private final @Nullable OwningThread loop = Thread.currentThread() instanceof OwningThread owning ? owning : null;

    private final BufElements elements;
    private final Resource resource;
    private final Arena arena;
    /** Memory for one pointer or number that the SDK writes. */
    private final MemorySegment out;

    private final MemorySegment pointer;

    /**
     * Creates the native object as the last step, so that no later step can fail.
     *
     * @param elements the mirrors of its buffers
     * @param create creates and starts the native object; gets memory for a pointer
     * @param parents must not be closed before it
     * @throws IllegalStateException if a parent is closed
     */
    BufOwnerBase(BufElements elements, UnaryOperator<MemorySegment> create, Resource... parents) {
        this.elements = elements;
        // Not confined: another thread may take over the objects of a thread that has ended.
        this.arena = Arena.ofShared();
        this.resource = Resource.open(this, elements.owner(), parents);
        try {
            this.out = arena.allocate(JAVA_LONG);
            elements.open();
            if (loop != null) {
                loop.own(this);
            }
            this.pointer = create.apply(out);
        } catch (Throwable failure) {
            freeJavaSide();
            resource.discard();
            throw failure;
        }
    }

    public final int size() {
        return elements.size();
    }

    public final int available() {
        check();
        return elements.available();
    }

    @Override
    public final void close() {
        if (resource.state() == Resource.State.CLOSED) {
            return;
        }
        thread.check(this);
        resource.close(this::returnAllAndDestroy);
    }

    /** Returns the kind and the size. Any thread may call. */
    @Override
    public final String toString() {
        return resource.description();
    }

    /** Refuses use after closing and use by other threads. */
    final void check() {
        // In this order: what is closed belongs to no thread.
        resource.checkOpen();
        checkThread();
    }

    final void checkThread() {
        thread.check(this);
    }

    /** Returns the list of a first element to the SDK. */
    final void release(BufElement list) {
        NativeInventory.giveBack(list.pointer(), this);
        elements.giveBack(list);
    }

    /** Moves an idle buffer, which is not part of a longer list, to another range inside its map. */
    abstract void aim(BufElement element, long address, long length, long dataLength);

    /** Destroys the native object after all buffers were returned to it. */
    abstract void destroy();

    final BufElements elements() {
        return elements;
    }

    final MemorySegment out() {
        return out;
    }

    final MemorySegment pointer() {
        return pointer;
    }

    final void checkNotExhausted() {
        if (elements.available() == 0) {
            throw new ResourceExhaustedException(this + " is exhausted: all " + elements.size()
                    + " buffers are taken; close one whose operation has completed, or create a larger one");
        }
    }

    static void checkInside(MapState map, long offset, long length) {
        if (!map.contains(offset, length)) {
            throw new IndexOutOfBoundsException(
                    "A buffer of " + length + " bytes at " + offset + " is not inside of " + map);
        }
    }

    private void returnAllAndDestroy() {
        checkIdle();
        elements.lists().forEach(this::release);
        destroy();
        freeJavaSide();
    }

    private void freeJavaSide() {
        elements.close();
        arena.close();
        if (loop != null) {
            loop.release(this);
        }
    }

    private void checkIdle() {
        long busy = elements.lists().stream().filter(list -> list.tasks() > 0).count();
        if (busy > 0) {
            throw new IllegalStateException(this + " cannot be closed while tasks in flight use "
                    + (busy == 1 ? "1 buffer" : busy + " buffers"));
        }
    }
}
