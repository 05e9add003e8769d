/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.DocaException;
import io.docajava.core.context.ContextBuilder;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.dma.internal.DmaContextBuilderImpl;
import io.docajava.ffi.DocaFunctionException;
import java.util.concurrent.RejectedExecutionException;

/** Configures a {@link DmaContext} and starts it. A builder is used by one thread at a time. */
public sealed interface DmaContextBuilder extends ContextBuilder<DmaContextBuilder> permits DmaContextBuilderImpl {

    /**
     * Sets the number of tasks of the context, which limits the number of copies in flight. The default is 64, or {@link
     * DmaCapabilities#maxTasks()} if that is less.
     *
     * @param maxTasks 1 to {@link DmaCapabilities#maxTasks()}; a larger number fails the start of the context
     * @return this builder
     * @throws IllegalArgumentException if {@code maxTasks} is less than 1
     */
    DmaContextBuilder maxTasks(int maxTasks);

    /**
     * Sets whether copies complete in the order of their submission ({@code doca_dma_set_ordered_completions},
     * since DOCA 3.2). The device may still execute them in any order. A copy to a list of buffers completes with
     * its last range, which is submitted when the range before it has completed.
     *
     * @param ordered false, which is the default, for completions in any order
     * @return this builder
     */
    DmaContextBuilder orderedCompletions(boolean ordered);

    /**
     * Sets whether the context restarts itself after a failure has stopped it, and repeats the copies of ranges with a future that
     * the failure of another copy has aborted. Copies that are requested between the failure and the restart wait for it. Other
     * forms of copies fail as usual. If the context cannot be restarted, the waiting copies fail with the reason, which the error
     * handler of the engine gets too. A context that was stopped by {@link DmaContext#stop()} is not restarted.
     *
     * <p>The copies with a future then take turns for the tasks, with an object more for each.
     *
     * @param restart by default false: a failure aborts all copies in flight, and {@link DmaContext#restart()} starts the context
     *     again
     * @return this builder
     */
    DmaContextBuilder restartAfterFailure(boolean restart);

    /**
     * Sets whether the device may report some copies only together with a later one ({@code
     * DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS}, since DOCA 3.0). This is less work for the device, but delays the first reports of
     * those that leave together. If one fails, the earlier ones that were not reported yet fail as well, although they were
     * executed, and the SDK does not tell which one is the cause. The first of these failures counts as the root cause, and its
     * message says that a later one may be. DOCA 3.0 reports copies of lists one by one.
     *
     * @param optimized false, which is the default, for a report of each by itself
     * @return this builder
     */
    DmaContextBuilder optimizeReports(boolean optimized);

    /**
     * Creates the context and starts it ({@code doca_dma_create}, {@code doca_dma_task_memcpy_set_conf}, {@code
     * doca_pe_connect_ctx}, {@code doca_ctx_start}).
     *
     * @param engine that progresses the context, and whose thread calls
     * @return the running context, to be closed by the engine's thread
     * @throws IllegalArgumentException if {@link #maxTasks} exceeds the limit of the device
     * @throws IllegalStateException if the device or the engine is closed, or another thread than the engine's
     *     calls
     * @throws DocaException if the device has no DMA engine, or the SDK cannot start the context
     * @throws DocaFunctionException if completions are to be ordered and the loaded SDK cannot order them
     */
    DmaContext start(ProgressEngine engine);

    /**
     * Creates the context and starts it on a loop. Any thread may call, except for that of another loop. Any thread may then copy
     * ranges with a future, and stop, restart and close the context.
     *
     * @param loop that progresses the context, and closes it at the end unless it is closed before
     * @return the running context
     * @throws IllegalArgumentException as {@link #start(ProgressEngine)}
     * @throws IllegalStateException if the device is closed, or the thread of another loop calls
     * @throws RejectedExecutionException if the loop is closed or has failed
     * @throws DocaException as {@link #start(ProgressEngine)}
     * @throws DocaFunctionException as {@link #start(ProgressEngine)}
     */
    DmaContext start(ProgressLoop loop);
}
