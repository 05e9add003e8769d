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
 * A task of a sync event that is prepared once and submitted many times, such as {@code struct
 * doca_sync_event_task_notify_set}. Submitting and completing allocate nothing.
 *
 * <p>A node of a {@link Graph} can run it in place of {@link #submit()}, so that other nodes begin when the value of an event
 * is there, and an event is changed when others have succeeded:
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
 * <p>The handler is not called then, and {@link #status()} is as after a submission; {@link TaskStatus#NEW} when the run has
 * failed and it is not known of this task. The {@link #result()} is there for the user nodes that depend on the task.
 *
 * <p>A task is used by the engine's thread. Its context may stop and restart meanwhile; when the context is closed, the task is
 * closed as well.
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

    /** Returns the type of the task. */
    public SyncEventTaskType type() {
        return type;
    }

    /**
     * Sets the operation of the next submission.
     *
     * @param newOperation of the same type
     * @return this task
     * @throws IllegalArgumentException if it is of another type
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
     * Sets what is called when a submission of this task has ended. It may submit the task again. What it throws goes to the
     * engine's error handler.
     *
     * @return this task
     * @throws IllegalStateException if the task is in flight or closed
     */
    public SyncEventTask onCompletion(Consumer<? super SyncEventTask> newHandler) {
        Objects.requireNonNull(newHandler, "newHandler");
        prepared.onCompletion(newHandler);
        return this;
    }

    /**
     * Starts the task ({@code doca_task_submit}).
     *
     * @throws IllegalStateException if the task is in flight or closed, or the event's memory was freed
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
     * The value that the last submission read or set, that was there before it added, or that it waited for. For a wait for
     * another value, for which the SDK reports none, it is the number that the value was compared with and was not. 0 unless it
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
