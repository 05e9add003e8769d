/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.internal;

import io.docajava.core.internal.context.AbstractTask;
import io.docajava.core.internal.operation.Operation;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.ReceiveTask;
import io.docajava.rdma.ReceivedKind;
import java.util.Objects;

/** The implementation of {@link ReceiveTask}. */
public final class ReceiveTaskImpl extends AbstractTask<ReceiveTask> implements ReceiveTask {

    private final RdmaContextImpl context;
    private final ReceiveOperations type;

    ReceiveTaskImpl(RdmaContextImpl context, ReceiveOperations type, Operation operation) {
        super(operation, context);
        this.context = context;
        this.type = type;
    }

    @Override
    public ReceiveTask buffer(Buf newBuffer) {
        Objects.requireNonNull(newBuffer, "newBuffer");
        change().local(newBuffer);
        setRanges(null);
        return this;
    }

    @Override
    public ReceiveTask range(MapRange newRange) {
        Objects.requireNonNull(newRange, "newRange");
        change();
        setRanges(context.pair(newRange));
        return this;
    }

    @Override
    public long length() {
        return hasSucceeded() ? result() : 0;
    }

    @Override
    public ReceivedKind kind() {
        return type.kind(received());
    }

    @Override
    public int immediate() {
        return hasSucceeded() ? type.immediate(operation()) : 0;
    }

    @Override
    public RdmaConnection connection() {
        return type.connection(received());
    }

    private Operation received() {
        if (!hasSucceeded()) {
            throw new IllegalStateException("Nothing was received by this task of the " + context);
        }
        return operation();
    }

    @Override
    protected String title() {
        return "Receive task";
    }
}
