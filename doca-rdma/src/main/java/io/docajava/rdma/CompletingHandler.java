/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.memory.Buf;
import io.docajava.core.progress.Completion;
import org.jspecify.annotations.Nullable;

/** Ends a future as the operation ends. */
record CompletingHandler(Completion<Long> completion) implements RdmaHandler {

    @Override
    public void succeeded(RdmaConnection connection, @Nullable Buf local, long result) {
        completion.complete(result);
    }

    @Override
    public void failed(RdmaConnection connection, @Nullable Buf local, TaskFailedException failure) {
        completion.completeExceptionally(failure);
    }
}
