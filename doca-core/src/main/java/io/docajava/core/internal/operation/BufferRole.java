/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.operation;

import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.BufferUses;

/**
 * The way in which operations use a buffer or a list of buffers. Operations acquire and release their buffers through
 * it.
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

    void acquire(BufElement list) {
        if (this == SOURCE) {
            list.acquire();
        } else {
            list.acquireAsTarget();
        }
    }

    void release(BufElement list) {
        if (this == SOURCE) {
            list.release();
        } else {
            list.releaseAsTarget();
        }
    }

    /**
     * Acquires the buffers of a waiting operation. Several waiting operations may write to the same remote buffer in
     * turn.
     */
    void park(BufElement list) {
        if (this == DESTINATION) {
            list.acquireAsTarget();
        } else {
            list.acquire();
        }
    }

    /** Undoes {@link #park}. */
    void unpark(BufElement list) {
        if (this == DESTINATION) {
            list.releaseAsTarget();
        } else {
            list.release();
        }
    }

    /** Registers the use by a task of a graph. */
    void register(BufferUses uses, BufElement list, long bytes) {
        switch (this) {
            case SOURCE -> uses.read(list);
            case DESTINATION -> uses.write(list, bytes);
            case REMOTE_DESTINATION -> uses.useExclusively(list);
            case NONE -> throw new AssertionError("An operation has a buffer that its type does not have");
        }
    }
}
