/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

/**
 * Many operations for one ring at the device's door, {@code doca_task_submit_ex}. While it is open, all that is submitted to its
 * context, in whatever form, is held back and goes with the rest:
 *
 * {@snippet :
 * try (RdmaBatch batch = rdma.batch()) {
 *     for (Block block : blocks) {
 *         connection.submit(RdmaOperation.write(block.source(), block.target()), handler);
 *     }
 * }
 * }
 *
 * <p>At {@link #close()} at the latest all is on its way, and before that with each progress and each wait of the engine and
 * after every 32 operations: nothing waits for more to come. An operation that the SDK refuses then fails by its own
 * completion; for lack of room in a queue it is tried again with each progress.
 *
 * <p>A context has one open batch at a time, and it ends when the context stops. A batch is used by the engine's thread; it
 * allocates a small object, and nothing for its operations.
 */
public final class RdmaBatch implements AutoCloseable {

    private final RdmaContext context;

    RdmaBatch(RdmaContext context) {
        this.context = context;
    }

    /**
     * Submits what is held back. A second call does nothing.
     *
     * @throws IllegalStateException if called by another thread than the engine's
     */
    @Override
    public void close() {
        context.closeBatch(this);
    }

    /** Returns the context. */
    @Override
    public String toString() {
        return "Batch of the " + context;
    }
}
