/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.DocaException;
import io.docajava.testing.Await;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Records the events of a server or client as text, in order. */
final class Events implements MessageHandler, CommConnectionListener {

    private final BlockingQueue<String> all = new LinkedBlockingQueue<>();

    /** The connection of the last event. */
    volatile @Nullable CommConnection connection;

    /** The last message. */
    volatile @Nullable CommMessage message;

    /** An additional handler of messages. */
    volatile MessageHandler reaction = (by, came) -> {};

    @Override
    public void connected(CommConnection begun) {
        connection = begun;
        all.add("connected");
    }

    @Override
    public void disconnected(CommConnection over, DisconnectReason reason) {
        all.add("disconnected " + reason);
    }

    @Override
    public void connectionFailed(CommEndpoint endpoint, DocaException failure) {
        all.add("failed " + failure.getMessage());
    }

    @Override
    public void received(CommConnection by, CommMessage came) {
        message = came;
        all.add("message " + came.text());
        reaction.received(by, came);
    }

    /** Returns the number of events that have not been taken. */
    int size() {
        return all.size();
    }

    /** Returns the next event, and waits for it if another thread progresses. */
    String next() throws InterruptedException {
        String next = all.poll(Await.LIMIT_S, TimeUnit.SECONDS);
        return next == null ? "nothing" : next;
    }
}
