/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.memory.Buf;
import org.jspecify.annotations.Nullable;

/**
 * Told how operations on connections end. One handler may serve any number of them; nothing is allocated for it.
 *
 * <p>Both methods run on the thread of the engine, inside its progress. The operation's task and buffers are free again by
 * then: the handler may use them for the next operation. What it throws goes to the engine's error handler.
 */
@SuppressWarnings("exports") // the annotation is for tools, which find it without the module
public interface RdmaHandler {

    /**
     * An operation succeeded.
     *
     * @param connection on which it was
     * @param local the buffer of this side: the source of a send or a write, the target of a read; null for an atomic
     *     operation and one on a sync event, and if there was none
     * @param result the number of bytes sent, written or read; for an atomic operation, and one that adds to a sync event, the
     *     value before it; the value of a sync event that was read or set
     */
    void succeeded(RdmaConnection connection, @Nullable Buf local, long result);

    /** An operation failed. Its context stops, unless that is for a reason that passes. */
    void failed(RdmaConnection connection, @Nullable Buf local, TaskFailedException failure);
}
