/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.operation;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.DocaException;
import io.docajava.core.internal.engine.Deadlines;
import io.docajava.core.internal.engine.LoopWait;
import io.docajava.core.internal.lifecycle.OwnerThread;
import io.docajava.core.internal.memory.MapHolder;
import io.docajava.core.internal.memory.MapState;
import io.docajava.core.internal.memory.NativeInventory;
import io.docajava.core.internal.state.ContextLife;
import io.docajava.ffi.submission.Slots;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The native buffers of the operations of one context that read or write ranges of maps. Each operation has at most one buffer a
 * side, over the whole map that it used last, or over the range that a peer fills. The buffer holds the map, and stays until the
 * operation uses another map or range, or the map or the context closes.
 */
public final class RangeBuffers implements MapHolder {

    private final ContextLife life;
    private final Operations operations;
    private final long closeTimeoutNanos;

    private @Nullable Arena arena;
    private @Nullable NativeInventory inventory;
    private @Nullable Slots slots;

    RangeBuffers(ContextLife life, Operations operations, long closeTimeoutNanos) {
        this.life = life;
        this.operations = operations;
        this.closeTimeoutNanos = closeTimeoutNanos;
    }

    /** Returns the address of the native slot of an operation, and creates all slots and their inventory before. */
    long slot(int index) {
        if (inventory == null) {
            open();
        }
        operations.markUsed(index);
        return Objects.requireNonNull(slots).address(index);
    }

    private void open() {
        Arena memory = Arena.ofShared();
        try {
            inventory = new NativeInventory(
                    "inventory of the " + life.description(), 2 * operations.size() + 1, memory.allocate(JAVA_LONG));
            slots = new Slots(operations.size());
            arena = memory;
        } catch (Throwable failure) {
            memory.close();
            throw failure;
        }
    }

    /**
     * Replaces the buffer of an operation by one over another whole map, which is then held instead.
     *
     * @param from the map of the buffer; null if there is none
     * @param to the new map; null for none
     * @return the pointer to the new buffer, or 0
     * @throws IllegalStateException if the new map is closed or its memory was freed; nothing is replaced
     * @throws DocaException if the SDK refuses; nothing is replaced
     */
    long replace(@Nullable MapState from, long buf, @Nullable MapState to) {
        return exchange(from, buf, to == null ? 0 : take(to, to.base(), to.length()));
    }

    /**
     * Replaces the buffer of an operation by one over a part of a map, which is then held instead.
     *
     * @param from the map of the buffer; null if there is none
     * @throws IllegalStateException if the new map is closed or its memory was freed; nothing is replaced
     * @throws DocaException if the SDK refuses; nothing is replaced
     */
    long replace(@Nullable MapState from, long buf, MapState to, long address, long length) {
        return exchange(from, buf, take(to, address, length));
    }

    private long exchange(@Nullable MapState from, long buf, long next) {
        if (from != null) {
            inventory().giveBack(buf);
            from.release();
        }
        return next;
    }

    private long take(MapState map, long address, long length) {
        // Before the map is held: a thread that closes the map then finds it.
        map.addHolder(this);
        map.hold();
        try {
            long buf = inventory().take(map, address, length, 0);
            operations.activity().rebound();
            return buf;
        } catch (Throwable failure) {
            map.release();
            throw failure;
        }
    }

    private NativeInventory inventory() {
        return Objects.requireNonNull(inventory);
    }

    @Override
    public String description() {
        return life.description();
    }

    @Override
    public int release(MapState map) {
        OwnerThread owner = life.engine().owner();
        if (owner.isCurrent()) {
            return operations.unbind(map);
        }
        LoopWait.refuseLoopThread(map + " is used by the " + description() + " and cannot be closed");
        CompletableFuture<Integer> left = new CompletableFuture<>();
        life.engine().stages().execute(() -> {
            try {
                left.complete(operations.unbind(map));
            } catch (Throwable failure) {
                left.completeExceptionally(failure);
            }
        });
        return await(left, map, owner.thread());
    }

    private int await(CompletableFuture<Integer> left, MapState map, Thread other) {
        if (!LoopWait.await(left, closeTimeoutNanos)) {
            throw new IllegalStateException(map + " cannot be closed: the " + description() + " uses it, and "
                    + OwnerThread.name(other) + " has not progressed for "
                    + Deadlines.text(Duration.ofNanos(closeTimeoutNanos)));
        }
        if (left.isCompletedExceptionally()) {
            throw new IllegalStateException(
                    map + " cannot be closed: the " + description() + " cannot release it", left.exceptionNow());
        }
        return left.resultNow();
    }

    /** Gives all buffers back and destroys the inventory. Nothing is in flight. */
    public void close() {
        NativeInventory opened = inventory;
        if (opened != null) {
            operations.unbindAll(this);
            opened.close();
            inventory = null;
            Objects.requireNonNull(slots).close();
            Objects.requireNonNull(arena).close();
        }
    }
}
