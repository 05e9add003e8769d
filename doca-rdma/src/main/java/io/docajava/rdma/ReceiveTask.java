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
 * A receive that is prepared once and posted many times, {@code struct doca_rdma_task_receive}. Posting and completing allocate
 * nothing.
 *
 * <p>A task is used by the engine's thread. Its context may stop and restart meanwhile; when the context is closed, the task is
 * closed as well.
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
     * @return this task
     * @throws IllegalStateException if the task is in flight or closed
     */
    public ReceiveTask buffer(Buf newBuffer) {
        Objects.requireNonNull(newBuffer, "newBuffer");
        prepared.change().local(newBuffer);
        return this;
    }

    /**
     * Sets what is called when a submission of this task has ended. It may submit the task again. What it throws goes to the
     * engine's error handler.
     *
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
     * @throws IllegalArgumentException if the buffer is not one to receive into
     * @throws IllegalStateException if the task is in flight or closed, or the buffer is closed or otherwise in use
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses the task
     */
    public void submit() {
        prepared.submit();
    }

    /** Returns the state of the task. */
    public TaskStatus status() {
        return prepared.status();
    }

    /** Returns whether the last submission has ended, well or not. */
    public boolean isDone() {
        return prepared.isDone();
    }

    /** The bytes of the message, as in {@link Received#length}; 0 unless the last submission succeeded. */
    public long length() {
        return prepared.hasSucceeded() ? prepared.result() : 0;
    }

    /**
     * Returns the kind of the peer's operation.
     *
     * @throws IllegalStateException unless the last submission succeeded
     */
    public ReceivedKind kind() {
        return type.kind(received());
    }

    /** The 4 bytes that came with the message, as a number; 0 if none did. */
    public int immediate() {
        return prepared.hasSucceeded() ? type.immediate(prepared.operation()) : 0;
    }

    /**
     * By which connection the message came.
     *
     * @throws IllegalStateException unless the last submission succeeded
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

    /** Why the last submission failed; empty unless it did. */
    public Optional<TaskFailedException> failure() {
        return prepared.failure();
    }

    /**
     * Gives the task back to its context. A second call does nothing.
     *
     * @throws IllegalStateException if the task is in flight
     */
    @Override
    public void close() {
        prepared.close();
    }

    /** Returns the context and the status. */
    @Override
    public String toString() {
        return prepared.text("Receive task");
    }
}
