/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import io.docajava.DocaException;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.internal.memory.InventoryImpl;
import io.docajava.ffi.DocaFunctionException;

/**
 * An inventory of buffers that can point into any memory map ({@code struct doca_buf_inventory}). The inventory and its buffers
 * belong to the thread that created the inventory. After that thread has ended, they belong to the first thread that uses them.
 * Closing the inventory closes all of its buffers.
 */
public sealed interface BufInventory extends BufOwner permits InventoryImpl {

    /**
     * Creates an inventory ({@code doca_buf_inventory_create}, {@code doca_buf_inventory_start}).
     *
     * @param size how many buffers can be taken at the same time, counting each element of a list; from 1 to 16777216
     * @return the inventory, which belongs to the calling thread and is to be closed by it
     * @throws IllegalArgumentException if {@code size} is out of that range
     * @throws DocaException if the SDK refuses
     */
    static BufInventory create(int size) {
        return InventoryImpl.create(size);
    }

    /**
     * Takes a full buffer: all of its range is data ({@code doca_buf_inventory_buf_get_by_data}).
     *
     * @param memory to point into; it cannot be closed before the buffer
     * @param offset of the buffer in the memory, in bytes
     * @param length of the buffer in bytes; 0 is allowed here, but some tasks refuse empty buffers
     * @return the buffer, which returns to this inventory when it is closed
     * @throws IndexOutOfBoundsException if the range is not inside the memory
     * @throws IllegalStateException if the inventory or the memory map is closed, the memory was freed, or another thread is the owner
     * @throws ResourceExhaustedException if no buffer is free
     * @throws DocaException if the SDK refuses
     */
    Buf data(Mmap memory, long offset, long length);

    /**
     * Takes an empty buffer: tasks can write to all of its range ({@code doca_buf_inventory_buf_get_by_addr}).
     *
     * @param memory to point into; it cannot be closed before the buffer
     * @param offset of the buffer in the memory, in bytes
     * @param length of the buffer in bytes
     * @return the buffer, which returns to this inventory when it is closed
     * @throws IndexOutOfBoundsException if the range is not inside the memory
     * @throws IllegalStateException for the same reasons as {@link #data}
     * @throws ResourceExhaustedException if no buffer is free
     * @throws DocaException if the SDK refuses
     */
    Buf space(Mmap memory, long offset, long length);

    /**
     * Begins a list of buffers, to gather data from several ranges or to scatter it to them.
     *
     * @return a builder, which takes no buffer before {@link BufListBuilder#build()}
     */
    BufListBuilder list();

    /**
     * Adds buffers to the inventory ({@code doca_buf_inventory_expand}). Needs DOCA 3.0.
     *
     * @param more the number of buffers to add, at least 1; an inventory has at most 16777216 in all
     * @throws IllegalArgumentException if {@code more} is out of that range
     * @throws IllegalStateException if the inventory is closed, or the calling thread is not the owner
     * @throws DocaFunctionException if the loaded SDK is older than 3.0
     * @throws DocaException if the SDK refuses
     */
    void expand(int more);
}
