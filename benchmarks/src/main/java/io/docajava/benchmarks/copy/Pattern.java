/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.copy;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;

/** Bytes that differ at each position, so that a copy from or to a wrong position is detected. Sizes are multiples of 8. */
public final class Pattern {

    private Pattern() {}

    /** Fills the range with an index. */
    public static void fill(MemorySegment range, int index) {
        long words = range.byteSize() / Long.BYTES;
        for (long word = 0; word < words; word++) {
            range.set(JAVA_LONG_UNALIGNED, word * Long.BYTES, value(index, words, word));
        }
    }

    /**
     * Checks that a range has the content of the range with an index.
     *
     * @throws IllegalStateException if it differs
     */
    public static void check(MemorySegment range, int index) {
        long words = range.byteSize() / Long.BYTES;
        for (long word = 0; word < words; word++) {
            if (range.get(JAVA_LONG_UNALIGNED, word * Long.BYTES) != value(index, words, word)) {
                throw new IllegalStateException("Operation " + index + " of " + range.byteSize()
                        + " bytes differs from its source at byte " + word * Long.BYTES);
            }
        }
    }

    private static long value(int index, long words, long word) {
        return (index * words + word + 1) * 0x9E37_79B9_7F4A_7C15L;
    }
}
