/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.pe;

import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.samples.cli.SampleException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * The ranges of one copy, with the layout of the original samples: 1024 bytes of one value, and the target behind them.
 *
 * @param value the value of each byte of the source: 1 in the first pair of a map, 2 in the second, and so on
 */
record CopyPair(int value, MapRange source, MapRange target) {

    private static final int BYTES = 1024;

    /** Returns the size of the memory for a number of pairs in bytes. */
    static long memoryFor(int number) {
        return 2L * BYTES * number;
    }

    /** Divides a map into as many pairs as fit, at most 255. */
    static List<CopyPair> fill(Mmap memory) {
        List<CopyPair> pairs = new ArrayList<>();
        for (long offset = 0; offset + 2 * BYTES <= memory.byteSize(); offset += 2 * BYTES) {
            int value = pairs.size() + 1;
            memory.segment().asSlice(offset, BYTES).fill((byte) value);
            pairs.add(new CopyPair(value, memory.range(offset, BYTES), memory.range(offset + BYTES, BYTES)));
        }
        return pairs;
    }

    /**
     * Checks that the copy was made.
     *
     * @throws SampleException if the target has wrong bytes
     */
    void verify() {
        MemorySegment copy = target.segment();
        for (long i = 0; i < BYTES; i++) {
            byte found = copy.get(ValueLayout.JAVA_BYTE, i);
            if (found != (byte) value) {
                throw new SampleException("Copy " + value + " has " + Byte.toUnsignedInt(found) + " at byte " + i);
            }
        }
    }
}
