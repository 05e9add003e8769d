/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.core.internal.Handles;
import io.docajava.core.internal.context.TaskTable;
import io.docajava.core.internal.context.WaitingTask;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.memory.Buf;
import io.docajava.core.progress.Completion;

/**
 * A copy that was asked for on a loop while all tasks of the context were in use. Its buffers are in use until it is
 * submitted, and then again.
 */
final class WaitingCopy implements WaitingTask {

    private final DmaContext dma;
    private final Buf source;
    private final Buf target;
    private final BufElement from;
    private final BufElement to;
    private final Completion<Long> completion;

    private WaitingCopy(
            DmaContext dma, Buf source, Buf target, BufElement from, BufElement to, Completion<Long> completion) {
        this.dma = dma;
        this.source = source;
        this.target = target;
        this.from = from;
        this.to = to;
        this.completion = completion;
    }

    /** Checks the buffers and takes them into use. */
    static WaitingCopy of(DmaContext dma, Buf source, Buf target, Completion<Long> completion) {
        BufElement from = Handles.list(source);
        BufElement to = Handles.list(target);
        dma.check().checkToList(from, to);
        from.acquire();
        to.acquireAsTarget();
        return new WaitingCopy(dma, source, target, from, to, completion);
    }

    @Override
    public TaskTable<CopySlot> table() {
        return dma.slots();
    }

    @Override
    public void submit() {
        release();
        try {
            dma.submit(source, target, completion);
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
        from.release();
        to.releaseAsTarget();
    }
}
