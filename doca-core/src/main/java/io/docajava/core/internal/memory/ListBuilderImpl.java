/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.memory;

import io.docajava.DocaException;
import io.docajava.core.DocaCallException;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.internal.lifecycle.Undo;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufListBuilder;
import io.docajava.core.memory.Mmap;
import io.docajava.ffi.internal.StackGuard;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The implementation of {@link BufListBuilder}. */
public final class ListBuilderImpl implements BufListBuilder {

    private final InventoryImpl inventory;
    private final List<Range> ranges = new ArrayList<>();

    ListBuilderImpl(InventoryImpl inventory) {
        this.inventory = inventory;
    }

    private record Range(Mmap memory, long offset, long length, boolean isData) {}

    @Override
    public BufListBuilder data(Mmap memory, long offset, long length) {
        return add(memory, offset, length, true);
    }

    @Override
    public BufListBuilder space(Mmap memory, long offset, long length) {
        return add(memory, offset, length, false);
    }

    @Override
    public BufListBuilder splitData(Mmap memory, long offset, long length, int parts) {
        return split(memory, offset, length, parts, true);
    }

    @Override
    public BufListBuilder splitSpace(Mmap memory, long offset, long length, int parts) {
        return split(memory, offset, length, parts, false);
    }

    @Override
    public Buf build() {
        StackGuard.check();
        inventory.check();
        if (ranges.isEmpty()) {
            throw new IllegalStateException("A list has at least 1 element");
        }
        @Nullable BufImpl list = null;
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

    private BufImpl append(@Nullable BufImpl list, Range range) {
        BufImpl buf = inventory.take(range.memory, range.offset, range.length, range.isData ? range.length : 0);
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

    private static void giveBack(@Nullable BufImpl list, Throwable failure) {
        if (list != null) {
            Undo.after(failure, list::giveBack);
        }
    }

    /** Returns an exception of the same kind, and with the same cause, whose message begins with the element. */
    public static RuntimeException named(String element, RuntimeException failure) {
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
        MapState map = MmapImpl.state(Objects.requireNonNull(memory, "memory"));
        if (!map.contains(offset, length)) {
            throw new IndexOutOfBoundsException("Element " + (ranges.size() + 1) + " of a list, " + length
                    + " bytes at " + offset + ", is not inside of " + map);
        }
        ranges.add(new Range(memory, offset, length, isData));
        return this;
    }

    private BufListBuilder split(Mmap memory, long offset, long length, int parts, boolean isData) {
        MapState map = MmapImpl.state(Objects.requireNonNull(memory, "memory"));
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
