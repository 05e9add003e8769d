/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.core.context.TaskStatus;
import io.docajava.core.graph.Graph;
import io.docajava.core.graph.GraphTask;
import io.docajava.core.internal.context.ContextCore;
import io.docajava.core.internal.context.TaskBase;
import io.docajava.core.internal.operation.Operation;
import io.docajava.core.memory.Buf;
import java.util.Objects;

/**
 * A copy that is prepared once and submitted many times ({@code struct doca_dma_task_memcpy}). Submissions and completions allocate
 * nothing.
 *
 * {@snippet :
 * try (DmaTask task = dma.task(source, target)) {
 *     for (Block block : blocks) {
 *         source.aimData(block.offset(), block.length());
 *         target.aimSpace(block.offset(), block.length());
 *         task.submit();
 *         while (!task.isDone()) {
 *             engine.progress();
 *         }
 *     }
 * }
 * }
 *
 * <p>A node of a {@link Graph} can run the task instead of {@link #submit()}. A run does not call the task's handler. It sets
 * {@link #status()} as a submission does, or to {@link TaskStatus#NEW} if the run has failed and the
 * result of this task is unknown.
 *
 * <p>Only the engine's thread may use the task. The task stays usable after its context is restarted, and is closed
 * with the context.
 */
@SuppressWarnings("exports") // the base class has methods of PreparedTask only
public final class DmaTask extends TaskBase<DmaTask> implements GraphTask {

    DmaTask(ContextCore core, Operation operation) {
        super(operation, core);
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
        prepared().change().local(newSource);
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
        prepared().change().remote(newTarget);
        return this;
    }

    /** {@return the number of bytes that the last submission has copied; 0 unless it has succeeded} */
    public long bytes() {
        return prepared().hasSucceeded() ? prepared().result() : 0;
    }

    @Override
    protected String title() {
        return "Copy task";
    }

    /** {@return a description with the context and the status} Any thread may call. */
    @Override
    public String toString() {
        return description();
    }
}
