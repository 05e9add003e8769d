/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.DocaException;
import io.docajava.core.ConnectionEndedException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.graph.Graph;
import io.docajava.core.graph.GraphTask;
import io.docajava.core.internal.context.NodeTasks;
import io.docajava.core.internal.context.PreparedOperation;
import io.docajava.core.internal.operation.Operation;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * An operation on a connection that is prepared once and submitted many times (such as {@code struct doca_rdma_task_write}).
 * Submissions and completions allocate nothing.
 *
 * {@snippet :
 * try (RdmaTask task = connection.task(RdmaOperation.write(source, remote))) {
 *     for (Block block : blocks) {
 *         source.aimData(block.offset(), block.length());
 *         remote.aimSpace(block.remoteOffset(), block.length());
 *         task.submit();
 *         while (!task.isDone()) {
 *             engine.progress();
 *         }
 *     }
 * }
 * }
 *
 * <p>A node of a {@link Graph} can run the task instead of {@link #submit()}. A run does not call the task's handler. It sets
 * {@link #status()} as a submission does, or to {@link TaskStatus#NEW} if the run has failed and it is not known how this task
 * ended. User nodes that depend on the task can read its {@link #result()}. If a task of a run writes to a buffer of the peer's
 * memory, no other task of that run may use the buffer.
 *
 * <p>The engine's thread uses the task. It outlasts a stop and restart of its context, but then needs a new {@link #connection}. It
 * is closed with the context.
 */
public final class RdmaTask implements GraphTask, AutoCloseable {

    static {
        NodeTasks.open(RdmaTask.class, task -> task.prepared);
    }

    private final RdmaContext context;
    private final RdmaTaskType type;
    private final PreparedOperation<RdmaTask> prepared;

    RdmaTask(RdmaContext context, RdmaTaskType type, Operation operation) {
        this.context = context;
        this.type = type;
        this.prepared = new PreparedOperation<>(this, operation, context.core());
    }

    /** {@return the type of the operations that this task can run, which does not change} */
    public RdmaTaskType type() {
        return type;
    }

    /**
     * Sets the connection of the next submission.
     *
     * @param newConnection of this task's context; its state is checked when the task is submitted
     * @return this task
     * @throws IllegalArgumentException if the connection is of another context
     * @throws IllegalStateException if the task is in flight or closed
     */
    public RdmaTask connection(RdmaConnection newConnection) {
        Objects.requireNonNull(newConnection, "newConnection");
        Operation operation = prepared.change();
        context.checkOwn(newConnection);
        operation.on(newConnection);
        return this;
    }

    /**
     * Sets the operation of the next submission.
     *
     * @param newOperation of the type of this task; its buffers are checked when the task is submitted
     * @return this task
     * @throws IllegalArgumentException if the operation is of another type
     * @throws IllegalStateException if the task is in flight or closed
     */
    public RdmaTask operation(RdmaOperation newOperation) {
        Objects.requireNonNull(newOperation, "newOperation");
        Operation operation = prepared.change();
        if (newOperation.type() != type) {
            throw new IllegalArgumentException("A task to " + type.words() + " cannot "
                    + newOperation.type().words());
        }
        newOperation.applyTo(operation);
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
    public RdmaTask onCompletion(Consumer<? super RdmaTask> newHandler) {
        Objects.requireNonNull(newHandler, "newHandler");
        prepared.onCompletion(newHandler);
        return this;
    }

    /**
     * Submits the operation ({@code doca_task_submit}), in the context's open batch if there is one.
     *
     * @throws IllegalArgumentException if the buffers do not fit together or exceed a limit, the access of a map does not allow the
     *     operation, or the sync event was imported for another device
     * @throws IllegalStateException if the task is in flight or closed, the connection is not established yet, the sync event is
     *     closed, or a buffer is closed or in use by another operation
     * @throws ConnectionEndedException if the connection has ended
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

    /**
     * Returns the result of the last submission.
     *
     * @return the number of bytes sent, written or read; for an atomic operation or an addition to a sync event, the value before
     *     it; otherwise the value of the sync event that was read or set; 0 unless the last submission has succeeded
     */
    public long result() {
        return prepared.result();
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

    /** {@return the type, the context and the status} */
    @Override
    public String toString() {
        return prepared.text("Task to " + type.words());
    }
}
