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
 * A copy that is prepared once and submitted many times, {@code struct doca_dma_task_memcpy}. Submitting and completing
 * allocate nothing.
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
 * <p>A node of a {@link Graph} can run it in place of {@link #submit()}. Then the handler is not called, and {@link #status()}
 * is as after a submission; {@link TaskStatus#NEW} when the run has failed and it is not known of this task.
 *
 * <p>A task is used by the engine's thread. Its context may stop and restart meanwhile; when the context is closed, the
 * task is closed as well.
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
     * @param newTarget a buffer that is in no list
     * @return this task
     * @throws IllegalStateException if the task is in flight or closed
     */
    public DmaTask target(Buf newTarget) {
        Objects.requireNonNull(newTarget, "newTarget");
        prepared.change().remote(newTarget);
        return this;
    }

    /**
     * Sets what is called when a submission of this task has ended. It may submit the task again. What it throws goes
     * to the engine's error handler.
     *
     * @return this task
     * @throws IllegalStateException if the task is in flight or closed
     */
    public DmaTask onCompletion(Consumer<? super DmaTask> newHandler) {
        Objects.requireNonNull(newHandler, "newHandler");
        prepared.onCompletion(newHandler);
        return this;
    }

    /**
     * Starts the copy ({@code doca_task_submit}), in the context's open batch if there is one.
     *
     * @throws IllegalArgumentException if the buffers cannot be copied so, or the target is a list
     * @throws IllegalStateException if the task is in flight or closed, a buffer is closed, or another copy in flight uses
     *     the target or writes to the source
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

    /** Returns the number of bytes that the last submission copied; 0 unless it succeeded. */
    public long bytes() {
        return prepared.hasSucceeded() ? prepared.result() : 0;
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
        return prepared.text("Copy task");
    }
}
