/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.DocaException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.internal.context.PreparedOperation;
import io.docajava.core.internal.operation.Operation;
import io.docajava.core.memory.Buf;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A receive that is prepared once and posted many times ({@code struct doca_rdma_task_receive}). Posts and completions allocate
 * nothing.
 *
 * <p>The engine's thread uses the task. It outlasts a stop and restart of its context, and is closed with the context.
 */
public final class ReceiveTask implements AutoCloseable {

    private final RdmaContext context;
    private final ReceiveOperations type;
    private final PreparedOperation<ReceiveTask> prepared;

    ReceiveTask(RdmaContext context, ReceiveOperations type, Operation operation) {
        this.context = context;
        this.type = type;
        this.prepared = new PreparedOperation<>(this, operation, context.core());
    }

    /**
     * Sets the buffer of the next submission.
     *
     * @param newBuffer with room behind its data for the message, or the first one of a list; it is checked when the task is
     *     submitted
     * @return this task
     * @throws IllegalStateException if the task is in flight or closed
     */
    public ReceiveTask buffer(Buf newBuffer) {
        Objects.requireNonNull(newBuffer, "newBuffer");
        prepared.change().local(newBuffer);
        return this;
    }

    /**
     * Sets the handler that is called when a submission of this task has ended, in place of the one before.
     *
     * @param newHandler called with this task by the engine's thread; it may submit the task again. Exceptions that it throws go to
     *     the engine's error handler
     * @return this task
     * @throws IllegalStateException if the task is in flight or closed
     */
    public ReceiveTask onCompletion(Consumer<? super ReceiveTask> newHandler) {
        Objects.requireNonNull(newHandler, "newHandler");
        prepared.onCompletion(newHandler);
        return this;
    }

    /**
     * Posts the receive ({@code doca_task_submit}), in the context's open batch if there is one.
     *
     * @throws IllegalArgumentException if the context cannot receive into the buffer
     * @throws IllegalStateException if the task is in flight or closed, or the buffer is closed or in use by another operation
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses the task
     */
    public void submit() {
        prepared.submit();
    }

    /** {@return whether the task is new or in flight, and otherwise whether its last submission succeeded or failed} */
    public TaskStatus status() {
        return prepared.status();
    }

    /** {@return whether the last submission has succeeded or failed; false for a task that is new or in flight} */
    public boolean isDone() {
        return prepared.isDone();
    }

    /** {@return the number of bytes of the message, as in {@link Received#length}; 0 unless the last submission has succeeded} */
    public long length() {
        return prepared.hasSucceeded() ? prepared.result() : 0;
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
        return prepared.hasSucceeded() ? type.immediate(prepared.operation()) : 0;
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
        if (!prepared.hasSucceeded()) {
            throw new IllegalStateException("Nothing was received by this task of the " + context);
        }
        return prepared.operation();
    }

    /** {@return the failure of the last submission; empty unless it has failed} */
    public Optional<TaskFailedException> failure() {
        return prepared.failure();
    }

    /**
     * Returns the task to its context. A second call does nothing.
     *
     * @throws IllegalStateException if the task is in flight
     */
    @Override
    public void close() {
        prepared.close();
    }

    /** {@return the context and the status} */
    @Override
    public String toString() {
        return prepared.text("Receive task");
    }
}
