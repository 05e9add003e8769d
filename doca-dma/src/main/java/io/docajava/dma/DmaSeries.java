/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.DocaException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskStatus;
import io.docajava.dma.internal.DmaSeriesImpl;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Copies of ranges that are prepared once and submitted together many times. This is the cheapest way to copy: one native call submits
 * all copies, one completion reports the end of all, and the cost in Java does not depend on the number of copies.
 *
 * {@snippet :
 * try (DmaSeries series = dma.series(sources, targets)) {
 *     while (produce(sourceMemory)) {
 *         series.submit();
 *         while (!series.isDone()) {
 *             engine.progress();
 *         }
 *         consume(targetMemory);
 *     }
 * }
 * }
 *
 * <p>The ranges are fixed when the series is created. Their maps may close while the series is not in flight; submissions are refused
 * from then on.
 *
 * <p>A series uses as many tasks of its context as it has copies. It belongs to the engine's thread: calls by another one throw an
 * {@link IllegalStateException}. It outlasts a stop and restart of its context.
 */
public sealed interface DmaSeries extends AutoCloseable permits DmaSeriesImpl {

    /**
     * Sets the handler that is called when all copies of a submission have ended, in place of the one before.
     *
     * @param newHandler called with this series by the engine's thread; it may submit the series again. Exceptions that it throws
     *     go to the engine's error handler
     * @return this series
     * @throws IllegalStateException if the series is in flight or closed
     */
    DmaSeries onCompletion(Consumer<? super DmaSeries> newHandler);

    /**
     * Submits all copies ({@code doca_task_submit_ex}, and {@code doca_ctx_flush_tasks} after the last one and each 32nd).
     *
     * <p>If the SDK accepts only some of the copies, the series is in flight until these have ended, and then fails with the reason
     * of the refusal.
     *
     * @throws IllegalStateException if the series is in flight or closed, or a map is closed or its memory was freed
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses all copies
     */
    void submit();

    /** {@return the number of copies of each submission, which does not change} */
    int size();

    /** {@return the number of bytes that all copies of a submission copy together, which does not change} */
    long bytes();

    /** {@return whether the series is new or in flight, and otherwise whether its last submission succeeded or failed} */
    TaskStatus status();

    /** {@return whether the last submission has succeeded or failed; false for a series that is new or in flight} */
    boolean isDone();

    /**
     * Returns the failure of the last submission. After a failure it is not known which of the copies were made.
     *
     * @return the failure of the copy that failed first; empty unless the last submission has failed
     */
    Optional<TaskFailedException> failure();

    /**
     * Returns the tasks to the context. A second call does nothing.
     *
     * @throws IllegalStateException if the series is in flight
     */
    @Override
    void close();
}
