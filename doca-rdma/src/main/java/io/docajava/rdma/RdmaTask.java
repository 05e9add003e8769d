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
 * An operation on a connection that is prepared once and submitted many times, such as {@code struct doca_rdma_task_write}.
 * Submitting and completing allocate nothing.
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
 * <p>A node of a {@link Graph} can run it in place of {@link #submit()}. Then the handler is not called, and {@link #status()}
 * is as after a submission; {@link TaskStatus#NEW} when the run has failed and it is not known of this task. The {@link
 * #result()} is there for the user nodes that depend on the task. A buffer of the peer's memory that one task of a run writes to
 * is used by no other one.
 *
 * <p>A task is used by the engine's thread. Its context may stop and restart meanwhile: then it needs another {@link
 * #connection}. When the context is closed, the task is closed as well.
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

    /** Returns the type of the task. */
    public RdmaTaskType type() {
        return type;
    }

    /**
     * Sets the connection of the next submission.
     *
     * @return this task
     * @throws IllegalArgumentException if it is another context's
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
     * @param newOperation of the same type
     * @return this task
     * @throws IllegalArgumentException if it is of another type
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
     * Sets what is called when a submission of this task has ended. It may submit the task again. What it throws goes to the
     * engine's error handler.
     *
     * @return this task
     * @throws IllegalStateException if the task is in flight or closed
     */
    public RdmaTask onCompletion(Consumer<? super RdmaTask> newHandler) {
        Objects.requireNonNull(newHandler, "newHandler");
        prepared.onCompletion(newHandler);
        return this;
    }

    /**
     * Starts the operation ({@code doca_task_submit}), in the context's open batch if there is one.
     *
     * @throws IllegalArgumentException if the buffers are not right, or the sync event is another device's
     * @throws IllegalStateException if the task is in flight or closed, the connection is not established yet, the sync event is
     *     closed, or a buffer is closed or otherwise in use
     * @throws ConnectionEndedException if the connection has ended
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

    /**
     * Returns the result of the last submission: the number of bytes sent, written or read; the previous value, for an
     * atomic operation and an addition to a sync event; or the value of a sync event that was read or set. 0 unless it
     * succeeded.
     */
    public long result() {
        return prepared.result();
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

    /** Returns the type, the context and the status. */
    @Override
    public String toString() {
        return prepared.text("Task to " + type.words());
    }
}
