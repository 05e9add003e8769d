/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import io.docajava.DocaException;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.internal.memory.PoolImpl;

/**
 * A pool of equally sized buffers that follow each other in a memory map ({@code struct doca_buf_pool}). Each buffer has a fixed
 * position, and {@link #take()} returns any free one. The map cannot be closed before the pool.
 *
 * <p>The pool and its buffers belong to the thread that created the pool. After that thread has ended, they belong to the first
 * thread that uses them. Closing the pool closes all of its buffers.
 */
public sealed interface BufPool extends BufOwner permits PoolImpl {

    /**
     * Creates a pool of adjacent buffers, the first at the beginning of the memory.
     *
     * @param memory for the buffers; it cannot be closed before the pool
     * @param elements the number of buffers, from 1 to 16777216
     * @param elementSize the size of each buffer in bytes, at least 1
     * @return the pool, which belongs to the calling thread and is to be closed by it
     * @throws IllegalArgumentException for the same reasons as {@link #create(Mmap, int, long, long)}
     * @throws IllegalStateException if the memory map is closed, or its memory was freed
     * @throws DocaException if the SDK refuses
     */
    static BufPool create(Mmap memory, int elements, long elementSize) {
        return PoolImpl.create(memory, elements, elementSize);
    }

    /**
     * Creates a pool of buffers that begin at aligned addresses ({@code doca_buf_pool_create}, {@code
     * doca_buf_pool_set_element_alignment}, {@code doca_buf_pool_start}).
     *
     * @param memory for the buffers; it cannot be closed before the pool
     * @param elements the number of buffers, from 1 to 16777216
     * @param elementSize the size of each buffer in bytes, at least 1
     * @param alignment a power of two; the address of each buffer is a multiple of it; 1 for any address
     * @return the pool, which belongs to the calling thread and is to be closed by it
     * @throws IllegalArgumentException if a number is out of its range, the memory is too small, or it is imported and does not
     *     begin where the exported memory begins
     * @throws IllegalStateException if the memory map is closed, or its memory was freed
     * @throws DocaException if the SDK refuses
     */
    static BufPool create(Mmap memory, int elements, long elementSize, long alignment) {
        return PoolImpl.create(memory, elements, elementSize, alignment);
    }

    /**
     * Takes an empty buffer: tasks can write to all of it ({@code doca_buf_pool_buf_alloc}).
     *
     * @return the buffer, which returns to this pool when it is closed
     * @throws IllegalStateException if the pool is closed, the memory was freed, or the calling thread is not the owner
     * @throws ResourceExhaustedException if no buffer is free
     * @throws DocaException if the SDK refuses
     */
    Buf take();

    /** {@return the memory map that contains the buffers} */
    Mmap memory();

    /** {@return the size of each buffer in bytes} */
    long elementSize();
}
