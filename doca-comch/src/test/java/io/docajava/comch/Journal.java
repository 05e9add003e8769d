/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file with a digest of each message that was handled, in order. Who is killed leaves it to who comes next. */
final class Journal {

    private final FileChannel file;
    private final ByteBuffer entry = ByteBuffer.allocate(Long.BYTES);
    private long count;

    /** Goes on with what there is. */
    Journal(Path path) throws IOException {
        file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        count = file.size() / Long.BYTES;
    }

    /** How many messages were handled. */
    long count() {
        return count;
    }

    /** A message is handled: the system has it in the file when this returns, whatever becomes of the process. */
    void add(byte[] message) throws IOException {
        file.write(entry.clear().putLong(NumberedMessages.digest(message)).flip());
        count++;
    }

    /** All digests of a file. */
    static LongBuffer read(Path path) throws IOException {
        return ByteBuffer.wrap(Files.readAllBytes(path)).asLongBuffer();
    }
}
