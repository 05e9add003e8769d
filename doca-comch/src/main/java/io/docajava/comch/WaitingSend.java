/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.core.internal.context.TaskTable;
import io.docajava.core.internal.context.WaitingTask;
import io.docajava.core.progress.Completion;
import java.lang.foreign.MemorySegment;

/** A send that was asked for on a loop while others waited, or no task was free, with its own copy of the message. */
final class WaitingSend implements WaitingTask {

    private final CommConnection connection;
    private final byte[] message;
    private final Completion<Long> completion;

    /** Takes the message over. */
    WaitingSend(CommConnection connection, byte[] message, Completion<Long> completion) {
        this.connection = connection;
        this.message = message;
        this.completion = completion;
    }

    @Override
    public TaskTable<SendSlot> table() {
        return connection.endpoint().sends();
    }

    @Override
    public boolean isReady() {
        return connection.hasRoom();
    }

    @Override
    public void submit() {
        try {
            CompletingHandler handler = new CompletingHandler(completion);
            if (!connection.endpoint().submit(connection, MemorySegment.ofArray(message), handler)) {
                connection.waiting().awaitAgain(this);
            }
        } catch (Throwable failure) {
            completion.completeExceptionally(failure);
        }
    }

    @Override
    public void refuse(RuntimeException reason) {
        completion.completeExceptionally(reason);
    }
}
