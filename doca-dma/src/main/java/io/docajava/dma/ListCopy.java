/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.internal.lifecycle.Undo;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.MapState;
import io.docajava.core.internal.memory.PartBufs;
import io.docajava.core.internal.operation.Operation;
import io.docajava.core.internal.operation.OperationPool;
import io.docajava.core.internal.operation.OperationSink;
import io.docajava.core.memory.Buf;
import io.docajava.core.progress.Completion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;

/**
 * A copy to a list of buffers. The SDK would write all bytes behind the data of the first buffer, even across its end, so it must
 * not get such a list. Instead, one task copies a part for each contiguous range of the destination, one after the other, between
 * internal buffers. The handler is called when the last part has ended.
 *
 * <p>The new data segments of the list are passed to the SDK when its buffers are used again.
 */
final class ListCopy implements OperationSink {

    private final OperationPool pool;
    private final Buf source;
    private final Buf target;
    private final BufElement from;
    private final BufElement to;
    private final CopyHandler handler;
    private final long bytes;

    private final PartBufs bufs;
    /** The parts that are not submitted yet. */
    private final Queue<Part> parts = new ArrayDeque<>();

    private long copied;

    /** The source and the destination of a part; the destination is one contiguous range. */
    private record Part(BufElement from, BufElement to) {}

    private record Range(MapState map, long address, long length) {

        boolean endsAt(BufElement element) {
            return map.equals(element.map()) && address + length == element.tail();
        }
    }

    /**
     * Submits the first part. Nothing is in flight if this throws.
     *
     * @param operation has the buffers, and was returned to its pool
     * @param receiver a {@link CopyHandler} or a {@code Completion<Long>}
     * @throws IllegalArgumentException if the buffers cannot be copied
     * @throws IllegalStateException if another copy in flight uses a buffer in a way that excludes this one
     */
    static void submit(Operation operation, CopyCheck check, Object receiver) {
        ListCopy copy = new ListCopy(operation, check, handler(receiver));
        try {
            copy.submitPart();
        } catch (Throwable failure) {
            Undo.after(failure, copy::release);
            throw failure;
        }
    }

    @SuppressWarnings("unchecked") // there are no other receivers
    private static CopyHandler handler(Object receiver) {
        return receiver instanceof CopyHandler handler ? handler : new FutureHandler((Completion<Long>) receiver);
    }

    private ListCopy(Operation operation, CopyCheck check, CopyHandler handler) {
        this.pool = operation.pool();
        this.source = Objects.requireNonNull(operation.local());
        this.target = Objects.requireNonNull(operation.remote());
        this.from = Objects.requireNonNull(operation.localList());
        this.to = Objects.requireNonNull(operation.remoteList());
        this.bytes = check.checkToList(from, to);
        this.handler = handler;
        List<Range> ranges = ranges();
        // Each range may begin and end inside of a source buffer, which adds up to two elements.
        bufs = new PartBufs(from.elements() + 2 * ranges.size());
        try {
            takeParts(ranges);
        } catch (Throwable failure) {
            Undo.after(failure, bufs::close);
            throw failure;
        }
        from.acquire();
        to.acquireAsTarget();
    }

    /** Returns the ranges that the copy writes, in order; adjacent ranges of one map are merged. */
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

    private void submitPart() {
        Part part = parts.remove();
        pool.take().lists(part.from, part.to).submit(this, null);
    }

    @Override
    public void succeeded(Operation part) {
        copied += part.result();
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

    /** Submits the next part with the task of the previous one. */
    private void submitNext() {
        try {
            pool.life().checkRunningNow();
            submitPart();
        } catch (Throwable refusal) {
            String message = "Copying " + bytes + " bytes to a list of " + to.elements() + " buffers ended after "
                    + copied + " bytes: " + refusal.getMessage();
            fail(pool.queue().refusedPart(message, "doca_dma_task_memcpy", refusal));
        }
    }

    @Override
    public void failed(Operation part, TaskFailedException failure) {
        fail(failure);
    }

    private void fail(TaskFailedException failure) {
        try {
            release();
        } finally {
            handler.failed(source, target, failure);
        }
    }

    /** Reports the failure; the buffers stay in use, because the device may still access them. */
    @Override
    public void abandoned(Operation part, TaskFailedException failure) {
        handler.failed(source, target, failure);
    }

    private void release() {
        from.release();
        to.releaseAsTarget();
        bufs.close();
    }

    private record FutureHandler(Completion<Long> completion) implements CopyHandler {

        @Override
        public void copied(Buf source, Buf target, long bytes) {
            completion.complete(bytes);
        }

        @Override
        public void failed(Buf source, Buf target, TaskFailedException failure) {
            completion.completeExceptionally(failure);
        }
    }
}
