/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.internal.Handles;
import io.docajava.core.internal.context.TaskTable;
import io.docajava.core.internal.context.WaitingTask;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.memory.Buf;
import io.docajava.core.progress.Completion;
import org.jspecify.annotations.Nullable;

/** A receive that was asked for on a loop while all tasks were in use, as {@link WaitingOperation} is an operation. */
final class WaitingReceive implements WaitingTask {

    private final RdmaContext context;
    private final @Nullable Buf buffer;
    private final @Nullable BufElement target;
    private final Completion<Received> completion;

    /** Checks the buffer and takes it into use. */
    WaitingReceive(RdmaContext context, @Nullable Buf buffer, Completion<Received> completion) {
        this.context = context;
        this.buffer = buffer;
        this.completion = completion;
        target = buffer == null ? null : Handles.list(buffer);
        context.operationCheck().checkReceive(target);
        if (target != null) {
            target.acquireAsTarget();
        }
    }

    @Override
    public TaskTable<ReceiveSlot> table() {
        return context.receives();
    }

    @Override
    public void submit() {
        release();
        try {
            context.submitReceive(buffer, completion);
        } catch (Throwable failure) {
            completion.completeExceptionally(failure);
        }
    }

    @Override
    public void refuse(RuntimeException reason) {
        release();
        completion.completeExceptionally(reason);
    }

    private void release() {
        if (target != null) {
            target.releaseAsTarget();
        }
    }
}
