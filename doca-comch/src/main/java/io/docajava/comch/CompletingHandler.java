/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.progress.Completion;

/** Ends a future as the send ends. */
record CompletingHandler(Completion<Long> completion) implements SendHandler {

    @Override
    public void sent(CommConnection connection, long length) {
        completion.complete(length);
    }

    @Override
    public void failed(CommConnection connection, TaskFailedException failure) {
        completion.completeExceptionally(failure);
    }
}
