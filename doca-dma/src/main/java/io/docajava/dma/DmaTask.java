/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.core.context.GraphTask;
import io.docajava.core.context.PreparedTask;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.graph.Graph;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import io.docajava.dma.internal.DmaTaskImpl;

/**
 * A copy that is prepared once and submitted many times ({@code struct doca_dma_task_memcpy}). Submissions and completions allocate
 * nothing.
 *
 * {@snippet :
 * try (DmaTask task = dma.task(sources.getFirst(), targets.getFirst())) {
 *     for (int i = 0; i < sources.size(); i++) {
 *         task.ranges(sources.get(i), targets.get(i)).submit();
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
public sealed interface DmaTask extends PreparedTask<DmaTask>, GraphTask permits DmaTaskImpl {

    /**
     * Sets the ranges of the next submission ({@code doca_buf_set_data}).
     *
     * @param source the range to read, of 1 byte or more
     * @param target a range of the same length, which does not overlap with the source
     * @return this task
     * @throws IllegalArgumentException if the lengths differ or exceed the limit of the device, the ranges overlap, or the device cannot
     *     read the source or write to the target
     * @throws IllegalStateException if the task is in flight or closed
     */
    DmaTask ranges(MapRange source, MapRange target);

    /**
     * Sets the source of the next submission ({@code doca_dma_task_memcpy_set_src}).
     *
     * @param newSource a buffer, or the first one of a list; it is checked when the task is submitted
     * @return this task
     * @throws IllegalStateException if the task is in flight or closed, or copies ranges
     */
    DmaTask source(Buf newSource);

    /**
     * Sets the target of the next submission ({@code doca_dma_task_memcpy_set_dst}).
     *
     * @param newTarget a buffer that is in no list; it is checked when the task is submitted
     * @return this task
     * @throws IllegalStateException if the task is in flight or closed, or copies ranges
     */
    DmaTask target(Buf newTarget);

    /** {@return the number of bytes that the last submission has copied; 0 unless it has succeeded} */
    long bytes();
}
