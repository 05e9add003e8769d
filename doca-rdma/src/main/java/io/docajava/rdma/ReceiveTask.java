/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.internal.context.TaskBase;
import io.docajava.core.internal.operation.Operation;
import io.docajava.core.internal.operation.RangePair;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import java.util.Objects;

/**
 * A receive that is prepared once and posted many times, without allocation ({@code struct doca_rdma_task_receive}).
 *
 * <p>The engine's thread uses the task. It outlasts a stop and restart of its context, and is closed with the context.
 */
@SuppressWarnings("exports") // the base class has methods of PreparedTask only
public final class ReceiveTask extends TaskBase<ReceiveTask> {

    private final RdmaContext context;
    private final ReceiveOperations type;

    ReceiveTask(RdmaContext context, ReceiveOperations type, Operation operation) {
        super(operation, context.core());
        this.context = context;
        this.type = type;
    }

    /**
     * Sets the buffer of the next submission.
     *
     * @param newBuffer as in {@link RdmaContext#receive(Buf)}; it is checked when the task is submitted
     * @return this task
     * @throws IllegalStateException if the task is in flight or closed
     */
    public ReceiveTask buffer(Buf newBuffer) {
        Objects.requireNonNull(newBuffer, "newBuffer");
        prepared().change().local(newBuffer);
        prepared().setRanges(null);
        return this;
    }

    /**
     * Sets the range of the next submission.
     *
     * @param newRange as in {@link RdmaContext#receive(MapRange)}, of 1 byte or more
     * @return this task
     * @throws IllegalArgumentException if the context cannot receive into the range, or it is empty
     * @throws IllegalStateException if the task is in flight or closed, or the map is closed
     */
    public ReceiveTask range(MapRange newRange) {
        Objects.requireNonNull(newRange, "newRange");
        prepared().change();
        setRange(context.pair(newRange));
        return this;
    }

    /** Sets a checked range. */
    void setRange(RangePair pair) {
        prepared().setRanges(pair);
    }

    /** {@return the number of bytes of the message, as in {@link Received#length}; 0 unless the last submission has succeeded} */
    public long length() {
        return prepared().hasSucceeded() ? prepared().result() : 0;
    }

    /**
     * Returns the kind of the peer's operation.
     *
     * @return the kind for the last submission
     * @throws IllegalStateException if the last submission has not succeeded
     */
    public ReceivedKind kind() {
        return type.kind(received());
    }

    /** {@return the 4 bytes of immediate data as a number; 0 if the message has none, or the last submission has not succeeded} */
    public int immediate() {
        return prepared().hasSucceeded() ? type.immediate(prepared().operation()) : 0;
    }

    /**
     * Returns the connection on which the peer sent or wrote.
     *
     * @return a connection of this task's context, which may have ended since
     * @throws IllegalStateException if the last submission has not succeeded
     */
    public RdmaConnection connection() {
        return type.connection(received());
    }

    private Operation received() {
        if (!prepared().hasSucceeded()) {
            throw new IllegalStateException("Nothing was received by this task of the " + context);
        }
        return prepared().operation();
    }

    @Override
    protected String title() {
        return "Receive task";
    }

    /** {@return a description with the context and the status} Any thread may call. */
    @Override
    public String toString() {
        return description();
    }
}
