/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import io.docajava.DocaException;
import io.docajava.core.internal.memory.BufImpl;
import java.lang.foreign.MemorySegment;

/**
 * A buffer ({@code struct doca_buf}): a range of a memory map with a data segment in it. Tasks read the data segment, and write
 * to the bytes behind it; a write extends the data segment.
 *
 * <p>Buffers can be chained to a list, which tasks use as one buffer: see {@link BufInventory#list()} and {@link #append}. The
 * first buffer then represents the list, and the others cannot be used by themselves.
 *
 * <p>A buffer belongs to the thread of its inventory or pool: all methods but {@link #memory()} throw an {@link IllegalStateException} if
 * another thread calls. It cannot be changed or closed while a task in flight uses it.
 */
public sealed interface Buf extends AutoCloseable permits BufImpl {

    /** {@return the memory map that the buffer points into} */
    Mmap memory();

    /**
     * {@return the offset of the buffer in its memory map, in bytes}
     *
     * @throws IllegalStateException if it is closed
     */
    long offset();

    /**
     * {@return the size of the buffer's range in bytes ({@code doca_buf_get_len})}
     *
     * @throws IllegalStateException if it is closed
     */
    long length();

    /**
     * {@return the offset of the data segment in the buffer, in bytes ({@code doca_buf_get_data})}
     *
     * @throws IllegalStateException if it is closed
     */
    long dataOffset();

    /**
     * {@return the size of the data segment in bytes ({@code doca_buf_get_data_len})}
     *
     * @throws IllegalStateException if it is closed
     */
    long dataLength();

    /**
     * {@return the number of bytes behind the data segment, where tasks write}
     *
     * @throws IllegalStateException if it is closed
     */
    long remaining();

    /**
     * {@return the number of buffers in the list that begins with this one; 1 for a single buffer ({@code doca_buf_get_list_len})}
     *
     * @throws IllegalStateException if it is closed or not the first of its list
     */
    int elements();

    /**
     * Returns the bytes of the data segment. Do not write them while a task reads them, or read them while a task writes them.
     *
     * @return a view of the memory map's segment; later changes of the data segment do not change its bounds
     * @throws IllegalStateException if it is closed, or the memory is of another process
     */
    MemorySegment data();

    /**
     * Sets the data segment. It is passed to the SDK when a task uses the buffer ({@code doca_buf_set_data}).
     *
     * @param offset of the data segment in the buffer, in bytes
     * @param length of the data segment in bytes
     * @throws IndexOutOfBoundsException if the data segment is not inside the buffer
     * @throws IllegalStateException if the buffer is closed or used by a task in flight
     */
    void setData(long offset, long length);

    /**
     * Empties the data segment, whose beginning does not change. It is passed to the SDK when a task uses the buffer ({@code
     * doca_buf_set_data}).
     *
     * @throws IllegalStateException if the buffer is closed or used by a task in flight
     */
    void clear();

    /**
     * Empties the data segments of this buffer and of all others of its list, as {@link #clear()} does.
     *
     * @throws IllegalStateException if the buffer is closed, used by a task in flight, or not the first of its list
     */
    void clearList();

    /**
     * Moves this buffer to another range of the same memory and makes it full: all of the range is data. This is faster than
     * closing the buffer and taking another one, and allocates nothing ({@code doca_buf_inventory_buf_reuse_by_args}; before DOCA
     * 3.2 {@code doca_buf_dec_refcount} and {@code doca_buf_inventory_buf_get_by_args}).
     *
     * @param offset of the range in the memory, in bytes
     * @param length of the range in bytes
     * @return this buffer
     * @throws IndexOutOfBoundsException if the range is not inside of the memory
     * @throws IllegalStateException if the buffer is closed, used by a task in flight, in a list of several, or of a {@link
     *     BufPool}, the memory was freed
     * @throws DocaException if the SDK refuses; before DOCA 3.2 the buffer is then closed, if it was already returned to the SDK
     */
    Buf reuseAsData(long offset, long length);

    /**
     * Moves this buffer as {@link #reuseAsData} does, but makes it empty: tasks can write to all of the range.
     *
     * @param offset of the range in the memory, in bytes
     * @param length of the range in bytes
     * @return this buffer
     * @throws IndexOutOfBoundsException if the range is not inside of the memory
     * @throws IllegalStateException for the same reasons as {@link #reuseAsData}
     * @throws DocaException if the SDK refuses, with the same effect as for {@link #reuseAsData}
     */
    Buf reuseAsSpace(long offset, long length);

    /**
     * Appends a buffer, or the list that begins with it, to the list of this buffer ({@code doca_buf_chain_list}).
     *
     * @param tail a buffer that is the first of its list; it cannot be used by itself until it is detached
     * @return this buffer, which represents the whole list
     * @throws IllegalArgumentException if it is this buffer itself or a buffer of another inventory or pool
     * @throws IllegalStateException if either is closed, used by a task in flight, or not the first of its list
     * @throws DocaException if the SDK refuses
     */
    Buf append(Buf tail);

    /**
     * Detaches this buffer, and all buffers behind it, from its list ({@code doca_buf_unchain_list}).
     *
     * @return this buffer, which is the first of its list again
     * @throws IllegalStateException if it is the first of its list, closed, or used by a task in flight
     * @throws DocaException if the SDK refuses
     */
    Buf detach();

    /**
     * Returns the buffer, together with the list that begins with it, to the inventory or pool ({@code doca_buf_dec_refcount}).
     * Does nothing if the buffer is closed already, or was appended to another one: it is then returned with the list.
     *
     * @throws IllegalStateException if a task in flight uses it
     * @throws DocaException if the SDK refuses
     */
    @Override
    void close();
}
