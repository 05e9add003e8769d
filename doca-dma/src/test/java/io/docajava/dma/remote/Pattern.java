/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.remote;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Bytes that tell where they are, and another row of them for each seed. */
final class Pattern {

    private Pattern() {}

    static void fill(MemorySegment memory, int seed) {
        for (long i = 0; i < memory.byteSize(); i++) {
            memory.set(ValueLayout.JAVA_BYTE, i, at(i, seed));
        }
    }

    static boolean isIn(MemorySegment memory, int seed) {
        for (long i = 0; i < memory.byteSize(); i++) {
            if (memory.get(ValueLayout.JAVA_BYTE, i) != at(i, seed)) {
                return false;
            }
        }
        return true;
    }

    private static byte at(long offset, int seed) {
        return (byte) (offset * 31 + (offset >>> 8) + seed);
    }
}
