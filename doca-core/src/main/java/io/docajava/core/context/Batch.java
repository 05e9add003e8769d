/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.context;

/**
 * Submits many operations of a context with a single doorbell ({@code doca_task_submit_ex}), which makes small operations faster.
 * While a batch is open, it contains each operation that is submitted to its context with a future, a handler or a prepared task:
 *
 * {@snippet :
 * try (Batch batch = dma.batch()) {
 *     for (Block block : blocks) {
 *         dma.copy(block.source(), block.target(), handler);
 *     }
 * }
 * dma.drain(Duration.ofSeconds(1));
 * }
 *
 * <p>Operations are checked, refused and completed as without a batch. The batch collects them and submits them by one native
 * call: when it is closed, before each round of progress and each wait of the engine, after every 32 operations, and before a
 * series or a graph of the same context is submitted. Only closing ends the batch.
 *
 * <p>If the SDK refuses a collected operation, that operation completes with the failure. An operation that is refused because a
 * queue is full is submitted again in each round of progress, as long as other operations are in flight. The other operations
 * are not affected.
 *
 * <p>A context has one open batch at a time, and the batch ends when the context stops. A batch submits its operations by {@code
 * doca_task_submit_ex} and starts them by {@code doca_ctx_flush_tasks}, which was added in DOCA 3.0. With older releases, each
 * operation is submitted by a call of its own.
 *
 * <p>A batch belongs to the engine's thread. Opening a batch allocates a small object; its operations with a handler or a
 * prepared task allocate nothing.
 */
public interface Batch extends AutoCloseable {

    /** The ways in which a device reports the completions of a batch. */
    enum Reports {
        /** Reports each completion when its operation has ended. */
        EACH,
        /**
         * Reports some completions only together with a later one ({@code DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS}). This is less
         * work for the device, but delays the first completions of a batch. If an operation fails, the earlier operations that
         * were not reported yet fail as well, although they were executed. The SDK does not tell which one is the cause. The
         * first of these failures counts as the root cause, and its message says that a later one may be. DOCA 3.0 reports
         * copies of lists one by one.
         */
        TOGETHER
    }

    /**
     * Submits the collected operations and ends the batch. All of them will be reported. A second call, or a call after the
     * context has stopped, does nothing.
     *
     * @throws IllegalStateException if the calling thread is not the engine's
     */
    @Override
    void close();
}
