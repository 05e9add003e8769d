/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.memory.Buf;
import org.jspecify.annotations.Nullable;

/**
 * Receives the completions of operations on connections. One handler may serve any number of them; calling it allocates nothing.
 *
 * <p>The engine's thread calls both methods during progress. The operation's task and buffers are free by then, so the handler may
 * use them for the next operation. Exceptions that it throws go to the engine's error handler.
 */
@SuppressWarnings("exports") // the annotation is for tools, which find it without the module
public interface RdmaHandler {

    /**
     * Receives the success of an operation.
     *
     * @param connection that the operation was submitted to
     * @param local the buffer of this side, which is the source of a send or write, or the target of a read; null if the operation
     *     has none, as atomic operations and operations on sync events
     * @param result the number of bytes sent, written or read; for an atomic operation or an addition to a sync event, the value
     *     before it; otherwise the value of the sync event that was read or set
     */
    void succeeded(RdmaConnection connection, @Nullable Buf local, long result);

    /**
     * Receives the failure of an operation. Most failures stop the context, as {@link RdmaContext} describes.
     *
     * @param connection that the operation was submitted to
     * @param local the buffer of this side; null if the operation has none
     * @param failure says whether this operation is the root cause
     */
    void failed(RdmaConnection connection, @Nullable Buf local, TaskFailedException failure);
}
