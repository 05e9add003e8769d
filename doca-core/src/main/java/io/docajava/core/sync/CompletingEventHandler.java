/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.progress.Completion;

/** Ends a future as the task ends. */
record CompletingEventHandler(Completion<Long> completion) implements SyncEventHandler {

    @Override
    public void succeeded(SyncEventContext event, long result) {
        completion.complete(result);
    }

    @Override
    public void failed(SyncEventContext event, TaskFailedException failure) {
        completion.completeExceptionally(failure);
    }
}
