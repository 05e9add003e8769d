/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import io.docajava.DocaException;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.internal.memory.ListBuilderImpl;

/**
 * Builds lists of buffers. A task uses a list as one buffer, to gather data from several ranges of one or several memory maps or
 * to scatter data to them. Only {@link #build()} takes buffers from the inventory; it takes all or none.
 *
 * {@snippet :
 * Buf parts = buffers.list().data(headers, 0, 64).data(bodies, 4096, 1500).build();
 * }
 *
 * <p>A builder belongs to the thread that owns its inventory.
 */
public sealed interface BufListBuilder permits ListBuilderImpl {

    /**
     * Adds a full buffer, as {@link BufInventory#data} takes it.
     *
     * @param memory to point into
     * @param offset of the buffer in the memory, in bytes
     * @param length of the buffer in bytes
     * @return this builder
     * @throws IndexOutOfBoundsException if the range is not inside the memory
     */
    BufListBuilder data(Mmap memory, long offset, long length);

    /**
     * Adds an empty buffer, as {@link BufInventory#space} takes it.
     *
     * @param memory to point into
     * @param offset of the buffer in the memory, in bytes
     * @param length of the buffer in bytes
     * @return this builder
     * @throws IndexOutOfBoundsException if the range is not inside the memory
     */
    BufListBuilder space(Mmap memory, long offset, long length);

    /**
     * Divides a range into full buffers. All have the same size, except that the first one also gets the remainder.
     *
     * @param memory to point into
     * @param offset of the range in the memory, in bytes
     * @param length of the range in bytes
     * @param parts the number of buffers, from 1 to the length of the range and at most the size of the inventory
     * @return this builder
     * @throws IndexOutOfBoundsException if the range is not inside the memory
     * @throws IllegalArgumentException if {@code parts} is out of that range
     */
    BufListBuilder splitData(Mmap memory, long offset, long length, int parts);

    /**
     * Divides a range into empty buffers. All have the same size, except that the first one also gets the remainder.
     *
     * @param memory to point into
     * @param offset of the range in the memory, in bytes
     * @param length of the range in bytes
     * @param parts the number of buffers, from 1 to the length of the range and at most the size of the inventory
     * @return this builder
     * @throws IndexOutOfBoundsException if the range is not inside the memory
     * @throws IllegalArgumentException if {@code parts} is out of that range
     */
    BufListBuilder splitSpace(Mmap memory, long offset, long length, int parts);

    /**
     * Takes the buffers from the inventory and chains them ({@code doca_buf_inventory_buf_get_by_args}, {@code
     * doca_buf_chain_list}). If this throws, no buffer is taken. A further call builds another list of the same ranges.
     *
     * @return the first buffer, which represents the list
     * @throws IllegalStateException if no range was added, the inventory or a memory map is closed, the memory was freed, or the
     *     calling thread is not the owner
     * @throws ResourceExhaustedException if too few buffers are free; the message names the first element without one
     * @throws DocaException if the SDK refuses; the message names the element
     */
    Buf build();
}
