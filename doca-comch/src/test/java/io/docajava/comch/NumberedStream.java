/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Sends {@link NumberedMessages}, with as many in flight as there is room for. */
final class NumberedStream implements Handler<SendEnd> {

    private static final int DEPTH = 16;

    private final CommConnection connection;
    private final long total;
    private final CompletableFuture<Boolean> done;
    private long next;
    private int inFlight;

    /** Sends the messages from one number to another, exclusively. */
    NumberedStream(CommConnection connection, long first, long total, CompletableFuture<Boolean> done) {
        this.connection = connection;
        this.next = first;
        this.total = total;
        this.done = done;
    }

    void send() {
        while (inFlight < DEPTH && next < total) {
            connection.send(NumberedMessages.message(next), this);
            next++;
            inFlight++;
        }
        if (inFlight == 0) {
            done.complete(true);
        }
    }

    @Override
    public void ended(SendEnd end, @Nullable TaskFailedException failure) {
        if (failure != null) {
            done.completeExceptionally(failure);
            return;
        }
        inFlight--;
        send();
    }
}
