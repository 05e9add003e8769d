/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.DocaException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Handles numbered messages by writing them into a journal, and answers each with how many it has handled. Whoever connects is
 * told that as well, to go on from there.
 */
final class Receiver implements MessageHandler, CommConnectionListener {

    private final Journal journal;

    /** What became of the last answer. */
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

    /** The sender may be gone: it asks no more then. */
    private void answer(CommConnection connection) {
        byte[] count = ByteBuffer.allocate(Long.BYTES).putLong(journal.count()).array();
        try {
            last = connection.send(count);
        } catch (DocaException isOver) {
            last = isOver;
        }
    }
}
