/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.context;

/**
 * Submits many operations of a context with a single doorbell ({@code doca_task_submit_ex}), which makes small operations faster.
 * While a batch is open, each operation that is submitted to its context, with a future, a handler or a prepared task, is part of
 * it:
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
 * <p>Operations are checked and refused as without a batch, and complete in the same ways. They are held back, and then submitted
 * by one call into native code: when the batch is closed, before each round of progress and each wait of the engine, after every 32
 * operations, and before a series or a graph of the same context. Only closing ends the batch.
 *
 * <p>If the SDK refuses a held back operation, the operation fails by its own completion. An operation that is refused for lack of
 * room in a queue is submitted again in each round of progress, as long as others are in flight. If the device refuses the last
 * operation for good while others wait to be reported with it, the context stops with that failure, which ends all of them.
 *
 * <p>A context has one open batch at a time, and the batch ends when the context stops. {@code doca_task_submit_ex} came with
 * DOCA 2.9; an SDK without it gets each operation by a call of its own.
 *
 * <p>A batch belongs to the engine's thread. Opening a batch allocates a small object; its operations with a handler or a prepared
 * task allocate nothing.
 */
public interface Batch extends AutoCloseable {

    /** How the device reports the completions of a batch. */
    enum Reports {
        /** Each completion when its operation has ended. */
        EACH,
        /**
         * Some completions only together with a later one ({@code DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS}). This is less work for
         * the device, but the first completions of a batch come later. Failures are reported at once.
         */
        TOGETHER
    }

    /**
     * Submits the operations that are held back, and ends the batch. All of them will be reported. A second call does
     * nothing, nor does a call after the context has stopped.
     *
     * @throws IllegalStateException if called by another thread than the engine's
     */
    @Override
    void close();
}
