/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.internal;

import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.MapState;
import io.docajava.core.internal.operation.ArgumentSetters;
import io.docajava.core.internal.operation.BufferRole;
import io.docajava.core.internal.operation.Operation;
import io.docajava.core.internal.operation.OperationSink;
import io.docajava.core.internal.operation.OperationType;
import io.docajava.dma.CopyEnd;
import io.docajava.dma.DmaContext;
import io.docajava.ffi.hot.DmaCalls;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The operation type of copies ({@code struct doca_dma_task_memcpy}). The local buffer is the source, the remote buffer
 * the destination. A {@link DmaContext} creates it; its operations call it.
 */
final class CopyOperations extends OperationType {

    private static final ArgumentSetters SETTERS =
            new ArgumentSetters(0, DmaCalls.sourceSetter(), DmaCalls.targetSetter(), 0, 0);

    private final DmaObject dma;
    private final CopyCheck check;

    CopyOperations(DmaObject dma, CopyCheck check) {
        super("doca_dma_task_memcpy", BufferRole.SOURCE, BufferRole.DESTINATION, SETTERS);
        this.dma = dma;
        this.check = check;
    }

    @Override
    protected long check(@Nullable Object subject, @Nullable BufElement local, @Nullable BufElement remote) {
        return check.check(Objects.requireNonNull(local), Objects.requireNonNull(remote));
    }

    @Override
    protected long checkInGraph(@Nullable Object subject, @Nullable BufElement local, @Nullable BufElement remote) {
        return check.checkInGraph(Objects.requireNonNull(local), Objects.requireNonNull(remote));
    }

    @Override
    protected long checkParked(@Nullable Object subject, @Nullable BufElement local, @Nullable BufElement remote) {
        return check.checkToList(Objects.requireNonNull(local), Objects.requireNonNull(remote));
    }

    @Override
    protected void checkMaps(@Nullable MapState source, @Nullable MapState destination) {
        check.checkMaps(Objects.requireNonNull(source), Objects.requireNonNull(destination));
    }

    /** Returns the largest number of bytes that one task can copy. */
    long maxLength() {
        return check.maxLength();
    }

    /** Refuses a copy of ranges that is too long for one task. */
    void checkLength(long length) {
        check.checkLength(length);
    }

    /** Checks a copy of one range to another, but for what {@link #checkLength} and {@link #checkMaps} check. */
    void checkRanges(MapState source, long sourceOffset, MapState target, long targetOffset, long length) {
        check.checkRanges(source, sourceOffset, target, targetOffset, length);
    }

    @Override
    protected void split(Operation operation, OperationSink sink, @Nullable Object receiver) {
        ListCopy.submit(operation, check, Objects.requireNonNull(receiver));
    }

    @Override
    protected int allocate(Operation operation, long userData) {
        return dma.allocate(operation.localPointer(), operation.remotePointer(), userData);
    }

    @Override
    protected String allocation() {
        return "doca_dma_task_memcpy_alloc_init";
    }

    @Override
    protected long allocated() {
        return dma.allocated();
    }

    @Override
    protected long asTask(long typed) {
        return DmaCalls.asTask(typed);
    }

    @Override
    protected long result(Operation operation) {
        return operation.bytes();
    }

    @Override
    protected String attempt(Operation operation) {
        return "copying " + operation.bytes() + " bytes from " + source(operation) + " to " + target(operation);
    }

    private static String source(Operation operation) {
        BufElement from = operation.localList();
        return from == null
                ? Objects.requireNonNull(operation.sourceMap()).place(operation.sourceAddress())
                : from.place(from.data());
    }

    private static String target(Operation operation) {
        BufElement to = operation.remoteList();
        return to == null
                ? Objects.requireNonNull(operation.destinationMap()).place(operation.destinationAddress())
                : to.place(to.tail());
    }

    /** A sink that passes the ends of copies to the receiver of the operation, a handler. */
    static final class Ends implements OperationSink {

        private final CopyEndImpl end = new CopyEndImpl();

        @Override
        public void succeeded(Operation operation) {
            describe(operation, true);
            pass(operation, null);
        }

        @Override
        public void failed(Operation operation, TaskFailedException failure) {
            describe(operation, false);
            pass(operation, failure);
        }

        /** Passes a copy of 0 bytes. */
        void passEmpty(
                MapState source,
                long sourceOffset,
                MapState target,
                long targetOffset,
                long tag,
                Handler<? super CopyEnd> handler) {
            end.set(source, source.base() + sourceOffset, 0, target, target.base() + targetOffset, 0, 0, tag);
            handler.ended(end, null);
        }

        private void describe(Operation operation, boolean copied) {
            long bytes = operation.bytes();
            if (operation.isOnRanges()) {
                end.set(
                        Objects.requireNonNull(operation.sourceMap()),
                        operation.sourceAddress(),
                        bytes,
                        Objects.requireNonNull(operation.destinationMap()),
                        operation.destinationAddress(),
                        bytes,
                        bytes,
                        operation.tag());
            } else {
                BufElement from = Objects.requireNonNull(operation.localList());
                BufElement to = Objects.requireNonNull(operation.remoteList());
                // The data of the target has grown by the bytes that were copied.
                long target = copied ? to.tail() - bytes : to.tail();
                end.set(from.map(), from.data(), from.dataLength(), to.map(), target, bytes, bytes, operation.tag());
            }
        }

        @SuppressWarnings("unchecked") // the receiver of this sink is a handler of copies
        private void pass(Operation operation, @Nullable TaskFailedException failure) {
            ((Handler<? super CopyEnd>) operation.receiver()).ended(end, failure);
        }
    }
}
