/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.docajava.core.memory.Mmap;
import io.docajava.samples.cli.SampleException;
import java.lang.foreign.MemorySegment;

/** Texts as the samples in C hold them: with a zero byte at the end, in 256 bytes at most. */
final class MessageText {

    /** The bytes of a message. */
    static final int SIZE = 256;

    /** The bytes of memory that each sample has. */
    static final int MEMORY = 4096;

    /** The immediate data. */
    static final int IMMEDIATE = 0xABCD;

    private MessageText() {}

    /** Puts a text into memory that is zero there. */
    static void write(Mmap memory, long offset, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        MemorySegment.copy(bytes, 0, memory.segment(), JAVA_BYTE, offset, bytes.length);
    }

    /**
     * The text at a place in memory.
     *
     * @param complaint what to say of a text without an end, to be read before "exceeds"
     * @throws SampleException if it does not end within a message
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
