/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.remote;

import java.lang.foreign.MemorySegment;

/**
 * Bytes that depend on their offset and on a seed. They are copied from precomputed blocks, as writing each byte of a
 * segment is slow in a process that compiles little.
 */
final class Pattern {

    private static final int BLOCK = 256;
    /** The bytes of all blocks, after which the pattern repeats. */
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

    /** Returns the place of an offset in the blocks. Each seed begins with another block. */
    private static long placeOf(long at, int seed) {
        return (at + (long) seed * BLOCK) % BLOCKS.byteSize();
    }
}
