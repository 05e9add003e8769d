/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.internal;

import io.docajava.core.internal.context.AbstractTask;
import io.docajava.core.internal.operation.Operation;
import io.docajava.ffi.internal.StackGuard;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaOperation;
import io.docajava.rdma.RdmaTask;
import io.docajava.rdma.RdmaTaskType;
import java.util.Objects;

/** The implementation of {@link RdmaTask}. */
public final class RdmaTaskImpl extends AbstractTask<RdmaTask> implements RdmaTask {

    private final RdmaContextImpl context;
    private final RdmaTaskType type;

    RdmaTaskImpl(RdmaContextImpl context, RdmaTaskType type, Operation operation) {
        super(operation, context);
        this.context = context;
        this.type = type;
    }

    @Override
    public RdmaTaskType type() {
        return type;
    }

    @Override
    public RdmaTask connection(RdmaConnection newConnection) {
        Objects.requireNonNull(newConnection, "newConnection");
        Operation operation = change();
        if (!newConnection.context().equals(context)) {
            throw new IllegalArgumentException(newConnection + " is not one of the " + context);
        }
        operation.on(newConnection);
        return this;
    }

    @Override
    public RdmaTask operation(RdmaOperation newOperation) {
        Objects.requireNonNull(newOperation, "newOperation");
        Operation operation = change();
        if (newOperation.type() != type) {
            throw new IllegalArgumentException(
                    "A task to " + NativeTaskType.words(type) + " cannot " + NativeTaskType.words(newOperation.type()));
        }
        setRanges(context.pair((RdmaOperationImpl) newOperation));
        ((RdmaOperationImpl) newOperation).applyTo(operation);
        return this;
    }

    @Override
    protected String title() {
        StackGuard.check();
        return "Task to " + NativeTaskType.words(type);
    }
}
