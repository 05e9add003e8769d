/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.context.PreparedTask;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import io.docajava.rdma.internal.ReceiveTaskImpl;

/**
 * A receive that is prepared once and posted many times, without allocation ({@code struct doca_rdma_task_receive}).
 *
 * <p>The engine's thread uses the task. It outlasts a stop and restart of its context, and is closed with the context.
 */
public sealed interface ReceiveTask extends PreparedTask<ReceiveTask> permits ReceiveTaskImpl {

    /**
     * Sets the buffer of the next submission.
     *
     * @param newBuffer as in {@link RdmaContext#receive(Buf)}; it is checked when the task is submitted
     * @return this task
     * @throws IllegalStateException if the task is in flight or closed
     */
    ReceiveTask buffer(Buf newBuffer);

    /**
     * Sets the range of the next submission.
     *
     * @param newRange as in {@link RdmaContext#receive(MapRange)}, of 1 byte or more
     * @return this task
     * @throws IllegalArgumentException if the context cannot receive into the range, or it is empty
     * @throws IllegalStateException if the task is in flight or closed, or the map is closed
     */
    ReceiveTask range(MapRange newRange);

    /** {@return the number of bytes of the message, as in {@link Received#length}; 0 unless the last submission has succeeded} */
    long length();

    /**
     * Returns the kind of the peer's operation.
     *
     * @return the kind for the last submission
     * @throws IllegalStateException if the last submission has not succeeded
     */
    ReceivedKind kind();

    /** {@return the 4 bytes of immediate data as a number; 0 if the message has none, or the last submission has not succeeded} */
    int immediate();

    /**
     * Returns the connection on which the peer sent or wrote.
     *
     * @return a connection of this task's context, which may have ended since
     * @throws IllegalStateException if the last submission has not succeeded
     */
    RdmaConnection connection();
}
