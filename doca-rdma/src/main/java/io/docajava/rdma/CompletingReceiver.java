/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.memory.Buf;
import io.docajava.core.progress.Completion;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Ends a future as the receive ends. */
record CompletingReceiver(Completion<Received> completion) implements ReceiveHandler {

    @Override
    public void received(
            @Nullable Buf buffer, long length, ReceivedKind kind, int immediate, RdmaConnection connection) {
        completion.complete(new Received(
                Optional.ofNullable(buffer),
                length,
                kind,
                kind.hasImmediate() ? OptionalInt.of(immediate) : OptionalInt.empty(),
                connection));
    }

    @Override
    public void failed(@Nullable Buf buffer, TaskFailedException failure) {
        completion.completeExceptionally(failure);
    }
}
