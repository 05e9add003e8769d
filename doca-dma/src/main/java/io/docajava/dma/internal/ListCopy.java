/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.internal;

import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.internal.lifecycle.Undo;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.MapState;
import io.docajava.core.internal.operation.Operation;
import io.docajava.core.internal.operation.OperationPool;
import io.docajava.core.internal.operation.OperationSink;
import io.docajava.core.progress.Completion;
import io.docajava.dma.CopyEnd;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A copy to a list of buffers. DOCA 2.5 writes all bytes behind the data of the first buffer, even across its end, so it must not get
 * such a list. Instead, a task on ranges copies each part that is contiguous in the source and in the destination, one after the
 * other. The handler is called when the last part has ended.
 *
 * <p>DOCA 3.0 fills the buffers of a list in turn, and would need one task. No capability tells the two apart, only a copy that may
 * write to the wrong place. The division is therefore used with all releases; copies of ranges, which most programs use, do not need it.
 *
 * <p>The new data segments of the list are passed to the SDK when its buffers are used again.
 */
final class ListCopy implements OperationSink {

    private final OperationPool pool;
    private final BufElement from;
    private final BufElement to;
    private final Handler<? super CopyEnd> handler;
    private final CopyEndImpl end = new CopyEndImpl();
    private final long bytes;

    /** The parts that are not submitted yet. */
    private final Deque<Part> parts = new ArrayDeque<>();

    private long copied;

    /** The source and the destination of a part. */
    private record Part(MapState from, long fromAddress, MapState to, long toAddress, long length) {

        boolean isFollowedBy(Part next) {
            return from.equals(next.from)
                    && to.equals(next.to)
                    && fromAddress + length == next.fromAddress
                    && toAddress + length == next.toAddress;
        }

        Part and(Part next) {
            return new Part(from, fromAddress, to, toAddress, length + next.length);
        }
    }

    /**
     * Submits the first part. Nothing is in flight if this throws.
     *
     * @param operation has the buffers, and was returned to its pool
     * @param receiver a handler of copies or a {@code Completion<Long>}
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
    private static Handler<? super CopyEnd> handler(Object receiver) {
        return receiver instanceof Handler<?> handler
                ? (Handler<? super CopyEnd>) handler
                : new FutureHandler((Completion<Long>) receiver);
    }

    private ListCopy(Operation operation, CopyCheck check, Handler<? super CopyEnd> handler) {
        this.pool = operation.pool();
        this.from = Objects.requireNonNull(operation.localList());
        this.to = Objects.requireNonNull(operation.remoteList());
        this.bytes = check.checkToList(from, to);
        this.handler = handler;
        end.set(
                from.map(),
                from.data(),
                from.dataLength(),
                to.map(),
                to.tail(),
                Math.min(bytes, to.tailLength()),
                bytes,
                operation.tag());
        divide();
        from.acquire();
        to.acquireAsTarget();
    }

    /** Finds the parts in the order of the bytes. Adjacent parts are merged. */
    private void divide() {
        BufElement reading = from;
        BufElement writing = to;
        long read = 0;
        long written = 0;
        for (long left = bytes; left > 0; ) {
            long length = Math.min(left, Math.min(reading.dataLength() - read, writing.tailLength() - written));
            if (length > 0) {
                add(new Part(reading.map(), reading.data() + read, writing.map(), writing.tail() + written, length));
                left -= length;
                read += length;
                written += length;
            } else if (read == reading.dataLength()) {
                reading = Objects.requireNonNull(reading.next());
                read = 0;
            } else {
                writing = Objects.requireNonNull(writing.next());
                written = 0;
            }
        }
    }

    private void add(Part part) {
        Part last = parts.peekLast();
        if (last != null && last.isFollowedBy(part)) {
            parts.removeLast();
            parts.add(last.and(part));
        } else {
            parts.add(part);
        }
    }

    private void submitPart() {
        Part part = parts.remove();
        Operation operation = pool.poll(part.from, part.to);
        if (operation == null) {
            throw pool.noFreeTask();
        }
        operation.submit(part.from, part.fromAddress, part.to, part.toAddress, part.length, this, null);
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
                handler.ended(end, null);
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
            handler.ended(end, failure);
        }
    }

    /** Reports the failure; the buffers stay in use, because the device may still access them. */
    @Override
    public void abandoned(Operation part, TaskFailedException failure) {
        handler.ended(end, failure);
    }

    private void release() {
        from.release();
        to.releaseAsTarget();
    }

    private record FutureHandler(Completion<Long> completion) implements Handler<CopyEnd> {

        @Override
        public void ended(CopyEnd end, @Nullable TaskFailedException failure) {
            if (failure == null) {
                completion.complete(end.bytes());
            } else {
                completion.completeExceptionally(failure);
            }
        }
    }
}
