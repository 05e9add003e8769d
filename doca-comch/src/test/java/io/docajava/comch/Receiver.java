/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.DocaException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Records numbered messages in a journal, and answers each with the number of handled messages. A new connection gets that number
 * first, so that the sender knows where to continue.
 */
final class Receiver implements MessageHandler, CommConnectionListener {

    private final Journal journal;

    /** The result of the last answer. */
    @Nullable
    Object last;

    Receiver(Path file) throws IOException {
        journal = new Journal(file);
    }

    @Override
    public void connected(CommConnection connection) {
        answer(connection);
    }

    @Override
    public void received(CommConnection connection, CommMessage message) {
        try {
            journal.add(message.bytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        answer(connection);
    }

    /** Sends an answer, unless the sender has disconnected and no longer needs it. */
    private void answer(CommConnection connection) {
        byte[] count = ByteBuffer.allocate(Long.BYTES).putLong(journal.count()).array();
        try {
            last = connection.send(count);
        } catch (DocaException isOver) {
            last = isOver;
        }
    }
}
