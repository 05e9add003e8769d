/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import io.docajava.DocaException;

/**
 * The owner of buffers: an inventory or a pool. Buffers are parts of their owner, which closes them when it is closed. They belong to
 * one thread.
 */
public sealed interface BufOwner extends AutoCloseable permits BufInventory, BufPool {

    /** {@return the number of buffers that can be taken at the same time} */
    int size();

    /**
     * {@return the number of buffers that can be taken now}
     *
     * @throws IllegalStateException if it is closed, or the calling thread is not its owner
     */
    int available();

    /**
     * Closes all buffers and destroys the inventory ({@code doca_buf_inventory_destroy}) or the pool ({@code
     * doca_buf_pool_destroy}). A second call does nothing.
     *
     * @throws IllegalStateException if a task in flight uses one of its buffers, or another thread is its owner; it stays open
     * @throws DocaException if the SDK refuses; it stays open
     */
    @Override
    void close();
}
