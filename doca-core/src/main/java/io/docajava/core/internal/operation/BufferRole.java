/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.operation;

import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.BufferUses;
import org.jspecify.annotations.Nullable;

/**
 * The way in which operations use a buffer or a list of buffers. Operations acquire and release their buffers through
 * it; null is no buffer.
 */
public enum BufferRole {
    /** Operations of the type have no such buffer. */
    NONE,
    /** The device reads the data. Many operations may read a buffer at the same time. */
    SOURCE,
    /** The device appends to the data. No other operation may use the buffer at the same time. */
    DESTINATION,
    /**
     * The device writes to the memory of a peer, behind the data. The SDK adds the written bytes to the data segment,
     * but Java does not: it empties the data segment before each operation.
     */
    REMOTE_DESTINATION;

    void acquire(@Nullable BufElement list) {
        acquire(list, this != SOURCE);
    }

    void release(@Nullable BufElement list) {
        release(list, this != SOURCE);
    }

    /**
     * Acquires the buffers of a waiting operation. Several waiting operations may write to the same remote buffer in
     * turn.
     */
    void park(@Nullable BufElement list) {
        acquire(list, this == DESTINATION);
    }

    /** Undoes {@link #park}. */
    void unpark(@Nullable BufElement list) {
        release(list, this == DESTINATION);
    }

    private static void acquire(@Nullable BufElement list, boolean asTarget) {
        if (list == null) {
            return;
        }
        if (asTarget) {
            list.acquireAsTarget();
        } else {
            list.acquire();
        }
    }

    private static void release(@Nullable BufElement list, boolean asTarget) {
        if (list == null) {
            return;
        }
        if (asTarget) {
            list.releaseAsTarget();
        } else {
            list.release();
        }
    }

    /** Registers the use by a task of a graph. */
    void register(BufferUses uses, @Nullable BufElement list, long bytes) {
        if (list == null) {
            return;
        }
        switch (this) {
            case SOURCE -> uses.read(list);
            case DESTINATION -> uses.write(list, bytes);
            case REMOTE_DESTINATION -> uses.useExclusively(list);
            case NONE -> throw new AssertionError("An operation has a buffer that its type does not have");
        }
    }
}
