/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import io.docajava.DocaException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.graph.Graph;
import io.docajava.core.graph.GraphTask;
import io.docajava.core.internal.context.ContextCore;
import io.docajava.core.internal.context.NodeTasks;
import io.docajava.core.internal.context.PreparedOperation;
import io.docajava.core.internal.operation.Operation;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A task of a sync event that is prepared once and submitted many times, such as {@code struct doca_sync_event_task_notify_set}.
 * Submitting and completing it allocate nothing.
 *
 * <p>A node of a {@link Graph} can run the task instead of {@link #submit()}. Nodes can thus wait for a value of an event, or
 * change an event after other nodes have succeeded:
 *
 * {@snippet :
 * ContextNode started = plan.context("started", event);
 * ContextNode copy = plan.context("copy", dma);
 * ContextNode done = plan.context("done", event);
 * plan.dependency(started, copy).dependency(copy, done);
 *
 * instance.set(started, event.task(SyncEventOperation.waitEqual(1)))
 *         .set(copy, dma.task(source, target))
 *         .set(done, event.task(SyncEventOperation.set(2)));
 * }
 *
 * <p>A run of a graph does not call the task's handler. It sets {@link #status()} as a submission does, or to {@link
 * TaskStatus#NEW} if the run has failed and the result of this task is unknown. User nodes that depend on the task can read its
 * {@link #result()}.
 *
 * <p>Only the engine's thread may use the task. The task stays usable after its context is restarted, and is closed with the
 * context.
 */
public final class SyncEventTask implements GraphTask, AutoCloseable {

    static {
        NodeTasks.open(SyncEventTask.class, task -> task.prepared);
    }

    private final PreparedOperation<SyncEventTask> prepared;
    private final SyncEventTaskType type;

    SyncEventTask(ContextCore core, Operation operation, SyncEventTaskType type) {
        this.prepared = new PreparedOperation<>(this, operation, core);
        this.type = type;
    }

    /** {@return the type of the operations that this task can run, which does not change} */
    public SyncEventTaskType type() {
        return type;
    }

    /**
     * Sets the operation of the next submission.
     *
     * @param newOperation of the type of this task
     * @return this task
     * @throws IllegalArgumentException if the operation is of another type
     * @throws IllegalStateException if the task is in flight or closed
     */
    public SyncEventTask operation(SyncEventOperation newOperation) {
        Objects.requireNonNull(newOperation, "newOperation");
        Operation operation = prepared.change();
        if (newOperation.type() != type) {
            throw new IllegalArgumentException("A task to " + type.words() + " cannot "
                    + newOperation.type().words());
        }
        operation.numbers(newOperation.number(), newOperation.mask());
        return this;
    }

    /**
     * Sets the handler that is called when a submission of this task has ended, and replaces the previous handler.
     *
     * @param newHandler called with this task by the engine's thread; it may submit the task again. Exceptions that it throws go
     *     to the engine's error handler
     * @return this task
     * @throws IllegalStateException if the task is in flight or closed
     */
    public SyncEventTask onCompletion(Consumer<? super SyncEventTask> newHandler) {
        Objects.requireNonNull(newHandler, "newHandler");
        prepared.onCompletion(newHandler);
        return this;
    }

    /**
     * Submits the task ({@code doca_task_submit}).
     *
     * @throws IllegalStateException if the task is in flight or closed, or the event's memory was freed
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
     * @return the value that was read, or the value before an addition; for other operations, for which the SDK returns no value,
     *     the number of the operation; 0 if the last submission has not succeeded
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

    /** {@return the type, the context and the status} Any thread may call. */
    @Override
    public String toString() {
        return prepared.text("Task to " + type.words());
    }
}
