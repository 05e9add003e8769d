/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import io.docajava.DocaException;
import io.docajava.core.DocaCallException;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.internal.lifecycle.Undo;
import io.docajava.core.internal.memory.MapState;
import io.docajava.ffi.internal.StackGuard;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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
public final class BufListBuilder {

    private final BufInventory inventory;
    private final List<Range> ranges = new ArrayList<>();

    BufListBuilder(BufInventory inventory) {
        this.inventory = inventory;
    }

    private record Range(Mmap memory, long offset, long length, boolean isData) {}

    /**
     * Adds a full buffer, as {@link BufInventory#data} takes it.
     *
     * @param memory to point into
     * @param offset of the buffer in the memory, in bytes
     * @param length of the buffer in bytes
     * @return this builder
     * @throws IndexOutOfBoundsException if the range is not inside the memory
     */
    public BufListBuilder data(Mmap memory, long offset, long length) {
        return add(memory, offset, length, true);
    }

    /**
     * Adds an empty buffer, as {@link BufInventory#space} takes it.
     *
     * @param memory to point into
     * @param offset of the buffer in the memory, in bytes
     * @param length of the buffer in bytes
     * @return this builder
     * @throws IndexOutOfBoundsException if the range is not inside the memory
     */
    public BufListBuilder space(Mmap memory, long offset, long length) {
        return add(memory, offset, length, false);
    }

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
    public BufListBuilder splitData(Mmap memory, long offset, long length, int parts) {
        return split(memory, offset, length, parts, true);
    }

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
    public BufListBuilder splitSpace(Mmap memory, long offset, long length, int parts) {
        return split(memory, offset, length, parts, false);
    }

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
    public Buf build() {
        StackGuard.check();
        inventory.check();
        if (ranges.isEmpty()) {
            throw new IllegalStateException("A list has at least 1 element");
        }
        @Nullable Buf list = null;
        for (int i = 0; i < ranges.size(); i++) {
            try {
                list = append(list, ranges.get(i));
            } catch (IllegalStateException | DocaException failure) {
                giveBack(list, failure);
                throw named("Element " + (i + 1) + " of a list of " + ranges.size(), failure);
            } catch (Throwable failure) {
                giveBack(list, failure);
                throw failure;
            }
        }
        return Objects.requireNonNull(list);
    }

    private Buf append(@Nullable Buf list, Range range) {
        Buf buf = inventory.take(range.memory, range.offset, range.length, range.isData ? range.length : 0);
        if (list == null) {
            return buf;
        }
        try {
            list.chain(buf);
            return list;
        } catch (Throwable failure) {
            giveBack(buf, failure);
            throw failure;
        }
    }

    private static void giveBack(@Nullable Buf list, Throwable failure) {
        if (list != null) {
            Undo.after(failure, list::giveBack);
        }
    }

    /** Returns an exception of the same kind, and with the same cause, whose message begins with the element. */
    static RuntimeException named(String element, RuntimeException failure) {
        String message = element + " cannot be taken: " + failure.getMessage();
        RuntimeException named = switch (failure) {
            case DocaCallException refusal -> new DocaCallException(message, refusal.code(), refusal.function());
            case ResourceExhaustedException exhausted -> new ResourceExhaustedException(message);
            case DocaException other -> new DocaException(message);
            default -> new IllegalStateException(message);
        };
        if (failure.getCause() != null) {
            named.initCause(failure.getCause());
        }
        for (Throwable second : failure.getSuppressed()) {
            named.addSuppressed(second);
        }
        return named;
    }

    private BufListBuilder add(Mmap memory, long offset, long length, boolean isData) {
        MapState map = Objects.requireNonNull(memory, "memory").state();
        if (!map.contains(offset, length)) {
            throw new IndexOutOfBoundsException("Element " + (ranges.size() + 1) + " of a list, " + length
                    + " bytes at " + offset + ", is not inside of " + map);
        }
        ranges.add(new Range(memory, offset, length, isData));
        return this;
    }

    private BufListBuilder split(Mmap memory, long offset, long length, int parts, boolean isData) {
        MapState map = Objects.requireNonNull(memory, "memory").state();
        if (!map.contains(offset, length)) {
            throw new IndexOutOfBoundsException(
                    "A range to be split, " + length + " bytes at " + offset + ", is not inside of " + map);
        }
        if (parts < 1 || parts > length || parts > inventory.size()) {
            throw new IllegalArgumentException("A range of " + length + " bytes cannot be split into " + parts
                    + " buffers of " + inventory + ", each of at least 1 byte");
        }
        long size = length / parts;
        long first = size + length % parts;
        add(memory, offset, first, isData);
        for (int i = 0; i < parts - 1; i++) {
            add(memory, offset + first + i * size, size, isData);
        }
        return this;
    }

    /** Returns the number of buffers and the inventory. */
    @Override
    public String toString() {
        return "BufListBuilder of " + ranges.size() + " buffers of " + inventory;
    }
}
