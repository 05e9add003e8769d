/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.soak;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/**
 * The layout of the memory of a process. At the beginning all processes have the same random bytes. Every transfer moves a part of
 * them, so that each byte can be checked at its destination.
 */
final class Layout {

    /** The maximum length of a transfer. */
    static final int MAX = 64 << 20;
    /** The number of offsets at which transferred parts of the bytes begin. */
    static final int SHIFTS = 1 << 20;

    private static final long BYTES = (long) MAX + SHIFTS;
    private static final long PAGE = 4096;
    private static final long LANE = 3L * MAX + PAGE;

    private Layout() {}

    static long size(int lanes, int receives) {
        return receive(lanes, receives);
    }

    /** Returns the offset of the window that a peer writes to and reads from. */
    static long window(int lane) {
        return BYTES + lane * LANE;
    }

    /** Returns the offset of the inbox that a peer writes to with immediate data. */
    static long inbox(int lane) {
        return window(lane) + MAX;
    }

    /** Returns the offset of the destination of reads. */
    static long target(int lane) {
        return inbox(lane) + MAX;
    }

    /** Returns the offset of the word that a peer changes. */
    static long word(int lane) {
        return target(lane) + MAX;
    }

    /** Returns the offset of the number of acknowledged writes to the peer's inbox, which the peer increments. */
    static long acknowledged(int lane) {
        return word(lane) + Long.BYTES;
    }

    static long receive(int lanes, int number) {
        return window(lanes) + (long) number * MAX;
    }

    /** Fills the beginning with the random bytes, and the remainder with 0. */
    static void fill(MemorySegment memory) {
        SplittableRandom random = new SplittableRandom(20);
        for (long at = 0; at < BYTES; at += Long.BYTES) {
            memory.set(JAVA_LONG, at, random.nextLong());
        }
        memory.asSlice(BYTES).fill((byte) 0);
    }

    /** Returns whether a part of the random bytes has arrived at a place. */
    static boolean matches(MemorySegment memory, long shift, long at, long length) {
        return MemorySegment.mismatch(memory, shift, shift + length, memory, at, at + length) < 0;
    }
}
