/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.docajava.core.memory.Mmap;
import io.docajava.samples.cli.SampleException;
import java.lang.foreign.MemorySegment;

/** Reads and writes texts in the format of the samples in C: at most 256 bytes, including a zero byte at the end. */
final class MessageText {

    /** The size of a message in bytes. */
    static final int SIZE = 256;

    /** The size of the memory of each sample in bytes. */
    static final int MEMORY = 4096;

    /** The immediate data. */
    static final int IMMEDIATE = 0xABCD;

    private MessageText() {}

    /** Writes a text to memory that contains zeros. */
    static void write(Mmap memory, long offset, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        MemorySegment.copy(bytes, 0, memory.segment(), JAVA_BYTE, offset, bytes.length);
    }

    /**
     * Returns the text at an offset in memory.
     *
     * @param complaint the beginning of the message if the text has no end, which "exceeds" follows
     * @throws SampleException if the text does not end within a message
     */
    static String read(Mmap memory, long offset, String complaint) {
        MemorySegment place = memory.segment().asSlice(offset, SIZE);
        for (long i = 0; i < SIZE; i++) {
            if (place.get(JAVA_BYTE, i) == 0) {
                return place.getString(0);
            }
        }
        throw new SampleException(complaint + " exceeds buffer size " + SIZE);
    }
}
