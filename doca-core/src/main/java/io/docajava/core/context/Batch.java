/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.context;

/**
 * Submits many operations of a context with a single doorbell, {@code doca_task_submit_ex}. Small operations are faster so. While
 * a batch is open, each operation that is submitted to its context, with a future, a handler or a prepared task, is part of it:
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
 * <p>Operations are checked and refused as without a batch, and complete in the same ways. They are held back, and submitted by one
 * call into native code: when the batch is closed, before each progress and each wait of the engine, after every 32 operations, and
 * before a series or a graph of the same context. The batch stays open after all of these but the first.
 *
 * <p>An operation that the SDK refuses when it is submitted so fails by its own completion. For lack of room in a queue it is
 * submitted again with each progress, as long as others are in flight. Should the device refuse the last one for good while others
 * wait to be reported with it, the context stops with that failure, which ends them all.
 *
 * <p>A context has one open batch at a time, and it ends when the context stops. With an SDK that lacks {@code
 * doca_task_submit_ex}, which came with DOCA 2.9, each operation is submitted by itself.
 *
 * <p>Used by the engine's thread. Opening a batch allocates a small object, and its operations with a handler or a prepared task
 * allocate nothing.
 */
public interface Batch extends AutoCloseable {

    /** Ways in which completions are reported. */
    enum Reports {
        /** Each when its operation has ended. */
        EACH,
        /**
         * Some only together with a later one, {@code DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS}: less work for the device, and longer
         * waits for the first ones of a batch. Failures come at once.
         */
        TOGETHER
    }

    /**
     * Submits the operations that are held back; all of them will be reported. A second call does nothing, and so does one after the
     * context has stopped.
     *
     * @throws IllegalStateException if called by another thread than the engine's
     */
    @Override
    void close();
}
