/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

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
import io.docajava.core.memory.Buf;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A copy that is prepared once and submitted many times ({@code struct doca_dma_task_memcpy}). Submissions and completions allocate
 * nothing.
 *
 * {@snippet :
 * try (DmaTask task = dma.task(source, target)) {
 *     for (Block block : blocks) {
 *         target.clear();
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
 * ended.
 *
 * <p>The engine's thread uses the task. It outlasts a stop and restart of its context, and is closed with the context.
 */
public final class DmaTask implements GraphTask, AutoCloseable {

    static {
        NodeTasks.open(DmaTask.class, task -> task.prepared);
    }

    private final PreparedOperation<DmaTask> prepared;

    DmaTask(ContextCore core, Operation operation) {
        this.prepared = new PreparedOperation<>(this, operation, core);
    }

    /**
     * Sets the source of the next submission ({@code doca_dma_task_memcpy_set_src}).
     *
     * @param newSource a buffer, or the first one of a list; it is checked when the task is submitted
     * @return this task
     * @throws IllegalStateException if the task is in flight or closed
     */
    public DmaTask source(Buf newSource) {
        Objects.requireNonNull(newSource, "newSource");
        prepared.change().local(newSource);
        return this;
    }

    /**
     * Sets the target of the next submission ({@code doca_dma_task_memcpy_set_dst}).
     *
     * @param newTarget a buffer that is in no list; it is checked when the task is submitted
     * @return this task
     * @throws IllegalStateException if the task is in flight or closed
     */
    public DmaTask target(Buf newTarget) {
        Objects.requireNonNull(newTarget, "newTarget");
        prepared.change().remote(newTarget);
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
    public DmaTask onCompletion(Consumer<? super DmaTask> newHandler) {
        Objects.requireNonNull(newHandler, "newHandler");
        prepared.onCompletion(newHandler);
        return this;
    }

    /**
     * Submits the copy ({@code doca_task_submit}), in the context's open batch if there is one.
     *
     * @throws IllegalArgumentException if the buffers do not fit together or exceed a limit of the device, or the target is in a
     *     list
     * @throws IllegalStateException if the task is in flight or closed, a buffer is closed, or another copy in flight uses
     *     the target or writes to the source
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

    /** {@return the number of bytes that the last submission has copied; 0 unless it has succeeded} */
    public long bytes() {
        return prepared.hasSucceeded() ? prepared.result() : 0;
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
        return prepared.text("Copy task");
    }
}
