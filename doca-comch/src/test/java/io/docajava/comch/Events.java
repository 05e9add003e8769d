/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.DocaException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Remembers what comes to a server or client, in words and in order. */
final class Events implements MessageHandler, CommConnectionListener {

    private final BlockingQueue<String> all = new LinkedBlockingQueue<>();

    /** The connection that was told of last. */
    volatile @Nullable CommConnection connection;

    /** The message that came last. */
    volatile @Nullable CommMessage message;

    /** What is done with messages besides. */
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

    /** How many there are that nobody has taken. */
    int size() {
        return all.size();
    }

    /** The next one, waited for if another thread progresses. */
    String next() throws InterruptedException {
        String next = all.poll(20, TimeUnit.SECONDS);
        return next == null ? "nothing" : next;
    }
}
