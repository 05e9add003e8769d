/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.sync;

import io.docajava.core.internal.context.AbstractContext;
import io.docajava.core.internal.context.AbstractTask;
import io.docajava.core.internal.operation.Operation;
import io.docajava.core.sync.SyncEventOperation;
import io.docajava.core.sync.SyncEventTask;
import io.docajava.core.sync.SyncEventTaskType;
import io.docajava.ffi.internal.StackGuard;
import java.util.Objects;

/** The implementation of {@link SyncEventTask}. */
public final class SyncEventTaskImpl extends AbstractTask<SyncEventTask> implements SyncEventTask {

    private final SyncEventTaskType type;

    SyncEventTaskImpl(AbstractContext context, Operation operation, SyncEventTaskType type) {
        super(operation, context);
        this.type = type;
    }

    @Override
    public SyncEventTaskType type() {
        return type;
    }

    @Override
    public SyncEventTask operation(SyncEventOperation newOperation) {
        Objects.requireNonNull(newOperation, "newOperation");
        Operation operation = change();
        if (newOperation.type() != type) {
            throw new IllegalArgumentException(
                    "A task to " + NativeTaskType.words(type) + " cannot " + NativeTaskType.words(newOperation.type()));
        }
        ((SyncEventOperationImpl) newOperation).applyTo(operation);
        return this;
    }

    @Override
    protected String title() {
        StackGuard.check();
        return "Task to " + NativeTaskType.words(type);
    }
}
