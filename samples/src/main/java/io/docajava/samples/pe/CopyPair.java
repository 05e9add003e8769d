/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.pe;

import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.Mmap;
import io.docajava.samples.cli.SampleException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * The buffers of one copy, with the layout of the original samples: 1024 bytes of one value, and an empty target behind them.
 *
 * @param value the value of each byte of the source: 1 in the first pair of a map, 2 in the second, and so on
 */
record CopyPair(int value, Buf source, Buf target) {

    private static final int BYTES = 1024;

    /** Returns the size of the memory for a number of pairs in bytes. */
    static long memoryFor(int number) {
        return 2L * BYTES * number;
    }

    /** Divides a map into as many pairs as fit, at most 255. The inventory needs two buffers for each. */
    static List<CopyPair> fill(Mmap memory, BufInventory buffers) {
        List<CopyPair> pairs = new ArrayList<>();
        for (long offset = 0; offset + 2 * BYTES <= memory.byteSize(); offset += 2 * BYTES) {
            int value = pairs.size() + 1;
            memory.segment().asSlice(offset, BYTES).fill((byte) value);
            Buf source = buffers.data(memory, offset, BYTES);
            Buf target = buffers.space(memory, offset + BYTES, BYTES);
            pairs.add(new CopyPair(value, source, target));
        }
        return pairs;
    }

    /**
     * Checks that the copy was made.
     *
     * @throws SampleException if the target lacks bytes or has wrong ones
     */
    void verify() {
        MemorySegment copy = target.data();
        if (copy.byteSize() != BYTES) {
            throw new SampleException("Copy " + value + " has " + copy.byteSize() + " bytes instead of " + BYTES);
        }
        for (long i = 0; i < BYTES; i++) {
            byte found = copy.get(ValueLayout.JAVA_BYTE, i);
            if (found != (byte) value) {
                throw new SampleException("Copy " + value + " has " + Byte.toUnsignedInt(found) + " at byte " + i);
            }
        }
    }
}
