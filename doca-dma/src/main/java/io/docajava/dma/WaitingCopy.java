/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.core.internal.context.WaitingTask;
import io.docajava.core.memory.Buf;
import io.docajava.core.progress.Completion;

/** A copy that was asked for on a loop while all tasks of the context were in use. */
record WaitingCopy(DmaContext dma, Buf source, Buf target, Completion<Long> completion) implements WaitingTask {

    @Override
    public void submit() {
        try {
            dma.submit(source, target, completion);
        } catch (Throwable failure) {
            completion.completeExceptionally(failure);
        }
    }

    @Override
    public void refuse(RuntimeException reason) {
        completion.completeExceptionally(reason);
    }
}
