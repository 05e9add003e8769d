/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file with the digest of each handled message, in order. After a process is killed, its successor continues the file. */
final class Journal {

    private final FileChannel file;
    private final ByteBuffer entry = ByteBuffer.allocate(Long.BYTES);
    private long count;

    /** Opens the file and continues it. */
    Journal(Path path) throws IOException {
        file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        count = file.size() / Long.BYTES;
    }

    /** Returns the number of handled messages. */
    long count() {
        return count;
    }

    /** Records a handled message. The system has it in the file when this method returns, even if the process is killed. */
    void add(byte[] message) throws IOException {
        file.write(entry.clear().putLong(NumberedMessages.digest(message)).flip());
        count++;
    }

    /** Reads all digests of a file. */
    static LongBuffer read(Path path) throws IOException {
        return ByteBuffer.wrap(Files.readAllBytes(path)).asLongBuffer();
    }
}
