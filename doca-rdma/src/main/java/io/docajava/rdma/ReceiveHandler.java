/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.memory.Buf;
import org.jspecify.annotations.Nullable;

/**
 * Told how receives end. One handler may serve any number of receives; nothing is allocated for it.
 *
 * <p>Both methods run on the thread of the engine, inside its progress. The receive's task and buffer are free again by then:
 * the handler may use them for the next receive. What it throws goes to the engine's error handler.
 */
@SuppressWarnings("exports") // the annotation is for tools, which find it without the module
public interface ReceiveHandler {

    /**
     * A message has arrived.
     *
     * @param buffer the buffer of the receive, whose data has grown by the message; null if it had none
     * @param length the bytes of the message; for a write those that were written to the other place
     * @param kind what the peer did
     * @param immediate the 4 bytes that came with it, as a number; 0 for a plain send
     * @param connection by which it came
     */
    void received(@Nullable Buf buffer, long length, ReceivedKind kind, int immediate, RdmaConnection connection);

    /** A receive failed; most often because its context has stopped. */
    void failed(@Nullable Buf buffer, TaskFailedException failure);
}
