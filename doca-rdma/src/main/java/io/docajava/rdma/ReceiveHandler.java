/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.memory.Buf;
import org.jspecify.annotations.Nullable;

/**
 * Receives the completions of receives. One handler may serve any number of receives; calling it allocates nothing.
 *
 * <p>The engine's thread calls both methods during progress. The receive's task and buffer are free by then, so the handler may use
 * them for the next receive. Exceptions that it throws go to the engine's error handler.
 */
@SuppressWarnings("exports") // the annotation is for tools, which find it without the module
public interface ReceiveHandler {

    /**
     * Receives a message.
     *
     * @param buffer of the receive; its data has grown by the message, except after a write; null if the receive has none
     * @param length the number of bytes of the message, or that the peer has written to the memory it chose
     * @param kind the operation of the peer
     * @param immediate the 4 bytes of immediate data as a number; 0 if {@code kind} has none
     * @param connection on which the peer sent or wrote
     */
    void received(@Nullable Buf buffer, long length, ReceivedKind kind, int immediate, RdmaConnection connection);

    /**
     * Receives the failure of a receive. In most cases its context has stopped.
     *
     * @param buffer the buffer of the receive; null if the receive has none
     * @param failure says whether this receive is the root cause
     */
    void failed(@Nullable Buf buffer, TaskFailedException failure);
}
