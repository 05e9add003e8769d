/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.internal.context.ContextCore;
import io.docajava.core.internal.context.TaskTable;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.MapState;
import io.docajava.core.internal.memory.PartBufs;
import io.docajava.core.memory.Buf;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;

/**
 * A copy to a list of buffers. The SDK would write all of it behind the data of the first one, across its end, and so it never
 * gets such a list. The copy has a part for each contiguous range of the target: a task writes one part after the other, each
 * by buffers of its own, and the handler is called when the last one has ended.
 *
 * <p>The SDK does not know what the buffers of the list have become, and is told when they are used again.
 */
final class ListCopy implements CopyHandler {

    private final ContextCore core;
    private final TaskTable<CopySlot> table;
    private final Buf source;
    private final Buf target;
    private final BufElement from;
    private final BufElement to;
    private final CopyHandler handler;
    private final long bytes;

    private final PartBufs bufs;
    /** Those that are not submitted yet. */
    private final Queue<Part> parts = new ArrayDeque<>();

    private long copied;

    /** One contiguous range of the target, and the data that go there. */
    private record Part(BufElement from, BufElement to) {}

    /** Where the target has room. */
    private record Range(MapState map, long address, long length) {

        boolean endsAt(BufElement element) {
            return map.equals(element.map()) && address + length == element.tail();
        }
    }

    /**
     * Submits the first part, in the open batch if it is to be {@code batched}. When this throws, nothing is in flight. A task
     * must be free.
     *
     * @param bytes how many bytes are copied, as was found when the buffers were checked
     */
    static void submit(
            ContextCore core,
            TaskTable<CopySlot> table,
            Buf source,
            Buf target,
            BufElement from,
            BufElement to,
            long bytes,
            CopyHandler handler,
            boolean batched) {
        ListCopy copy = new ListCopy(core, table, source, target, from, to, bytes, handler);
        try {
            copy.submitPart(batched);
        } catch (Throwable failure) {
            copy.release();
            throw failure;
        }
    }

    private ListCopy(
            ContextCore core,
            TaskTable<CopySlot> table,
            Buf source,
            Buf target,
            BufElement from,
            BufElement to,
            long bytes,
            CopyHandler handler) {
        this.core = core;
        this.table = table;
        this.source = source;
        this.target = target;
        this.from = from;
        this.to = to;
        this.bytes = bytes;
        this.handler = handler;
        List<Range> ranges = ranges();
        // Each end of a range may be inside of a buffer of the source.
        bufs = new PartBufs(from.elements() + 2 * ranges.size());
        try {
            takeParts(ranges);
        } catch (Throwable failure) {
            bufs.close();
            throw failure;
        }
        from.acquire();
        to.acquireAsTarget();
    }

    /** Where the copy writes, in order; what lies together in one map is one range. */
    private List<Range> ranges() {
        List<Range> ranges = new ArrayList<>();
        long left = bytes;
        for (BufElement element = to; element != null && left > 0; element = element.next()) {
            long length = Math.min(left, element.tailLength());
            if (length > 0) {
                if (!ranges.isEmpty() && ranges.getLast().endsAt(element)) {
                    Range before = ranges.removeLast();
                    ranges.add(new Range(before.map, before.address, before.length + length));
                } else {
                    ranges.add(new Range(element.map(), element.tail(), length));
                }
                left -= length;
            }
        }
        return ranges;
    }

    private void takeParts(List<Range> ranges) {
        BufElement element = from;
        long done = 0;
        for (Range range : ranges) {
            BufElement list = null;
            for (long left = range.length; left > 0; ) {
                if (done == element.dataLength()) {
                    element = Objects.requireNonNull(element.next());
                    done = 0;
                }
                long length = Math.min(left, element.dataLength() - done);
                long address = element.data() + done;
                if (list == null) {
                    list = bufs.take(element.map(), address, length, length);
                } else {
                    bufs.append(list, element.map(), address, length, length);
                }
                done += length;
                left -= length;
            }
            parts.add(new Part(Objects.requireNonNull(list), bufs.take(range.map, range.address, range.length, 0)));
        }
    }

    private void submitPart(boolean batched) {
        Part part = parts.remove();
        Objects.requireNonNull(table.take()).submitPart(core, source, target, part.from, part.to, this, batched);
    }

    @Override
    public void copied(Buf sameSource, Buf sameTarget, long bytesOfPart) {
        copied += bytesOfPart;
        if (parts.isEmpty()) {
            to.grow(bytes);
            to.markListStale();
            try {
                release();
            } finally {
                handler.copied(source, target, bytes);
            }
        } else {
            submitNext();
        }
    }

    /** The task of the part before is free again. */
    private void submitNext() {
        try {
            core.checkRunningNow();
            submitPart(false);
        } catch (Throwable refusal) {
            String message = "Copying " + bytes + " bytes to a list of " + to.elements() + " buffers ended after "
                    + copied + " bytes: " + refusal.getMessage();
            failed(source, target, core.refusedLater(message, "doca_dma_task_memcpy", refusal));
        }
    }

    @Override
    public void failed(Buf sameSource, Buf sameTarget, TaskFailedException failure) {
        try {
            release();
        } finally {
            handler.failed(source, target, failure);
        }
    }

    /** Nobody will learn how the part in flight ends. The device may still be at the buffers: they stay in use. */
    void abandoned(TaskFailedException failure) {
        handler.failed(source, target, failure);
    }

    private void release() {
        from.release();
        to.releaseAsTarget();
        bufs.close();
    }
}
