/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.remote;

import java.lang.foreign.MemorySegment;

/**
 * Bytes that tell where they are, and another row of them for each seed. They come from one place in which they are ready, as an
 * access to each byte of a segment takes long in a process that compiles little.
 */
final class Pattern {

    private static final int BLOCK = 256;
    /** All bytes of the blocks that there are, which come again then. */
    private static final MemorySegment BLOCKS = blocks();

    private Pattern() {}

    private static MemorySegment blocks() {
        byte[] bytes = new byte[BLOCK * BLOCK];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 31 + i / BLOCK);
        }
        return MemorySegment.ofArray(bytes);
    }

    static void fill(MemorySegment memory, int seed) {
        long length;
        for (long at = 0; at < memory.byteSize(); at += length) {
            long from = placeOf(at, seed);
            length = Math.min(BLOCKS.byteSize() - from, memory.byteSize() - at);
            MemorySegment.copy(BLOCKS, from, memory, at, length);
        }
    }

    static boolean isIn(MemorySegment memory, int seed) {
        long length;
        for (long at = 0; at < memory.byteSize(); at += length) {
            long from = placeOf(at, seed);
            length = Math.min(BLOCKS.byteSize() - from, memory.byteSize() - at);
            if (MemorySegment.mismatch(BLOCKS, from, from + length, memory, at, at + length) != -1) {
                return false;
            }
        }
        return true;
    }

    /** A seed begins with a block of its own. */
    private static long placeOf(long at, int seed) {
        return (at + (long) seed * BLOCK) % BLOCKS.byteSize();
    }
}
