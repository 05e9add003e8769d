/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.operation;

import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.BufferUses;

/** Ways in which operations use a buffer or a list of buffers. */
public enum BufferRole {
    /** Operations of the type have no such buffer. */
    NONE,
    /** The device reads the data. Many operations may do so at a time. */
    SOURCE,
    /** The device writes behind the data, which grow by that. The buffer is used by this operation alone. */
    DESTINATION,
    /**
     * The device writes to the memory of a peer, behind the data. The SDK counts that as data of the buffer, and Java does not: the
     * data segment is emptied before each operation.
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

    /** Keeps the buffers of an operation that waits. Several operations that wait may write to one remote buffer in turn. */
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
            case REMOTE_DESTINATION -> uses.useAlone(list);
            case NONE -> throw new AssertionError("An operation has a buffer that its type does not have");
        }
    }
}
