/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.memory.Buf;
import io.docajava.core.progress.Completion;

/** Ends a future as the copy ends. */
record CompletionHandler(Completion<Long> completion) implements CopyHandler {

    @Override
    public void copied(Buf source, Buf target, long bytes) {
        completion.complete(bytes);
    }

    @Override
    public void failed(Buf source, Buf target, TaskFailedException failure) {
        completion.completeExceptionally(failure);
    }
}
