/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.soak;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/**
 * Where what is in the memory of a process. At the beginning all of them have the same random bytes, which everything that is
 * moved is a part of, so that any byte can be checked wherever it comes to.
 */
final class Layout {

    /** The longest that is moved. */
    static final int MAX = 64 << 20;
    /** Parts of the bytes begin at so many places. */
    static final int SHIFTS = 1 << 20;

    private static final long BYTES = (long) MAX + SHIFTS;
    private static final long PAGE = 4096;
    private static final long LANE = 3L * MAX + PAGE;

    private Layout() {}

    static long size(int lanes, int receives) {
        return receive(lanes, receives);
    }

    /** Where a peer writes to and reads from. */
    static long window(int lane) {
        return BYTES + lane * LANE;
    }

    /** Where a peer writes to with immediate data. */
    static long inbox(int lane) {
        return window(lane) + MAX;
    }

    /** Where is read to. */
    static long target(int lane) {
        return inbox(lane) + MAX;
    }

    /** A number that a peer changes. */
    static long word(int lane) {
        return target(lane) + MAX;
    }

    /** How many writes to the peer's inbox it has seen, by its own addition. */
    static long acknowledged(int lane) {
        return word(lane) + Long.BYTES;
    }

    static long receive(int lanes, int number) {
        return window(lanes) + (long) number * MAX;
    }

    /** Fills the beginning, and touches all else. */
    static void fill(MemorySegment memory) {
        SplittableRandom random = new SplittableRandom(20);
        for (long at = 0; at < BYTES; at += Long.BYTES) {
            memory.set(JAVA_LONG, at, random.nextLong());
        }
        memory.asSlice(BYTES).fill((byte) 0);
    }

    /** Whether a part of the bytes is where it should have come to. */
    static boolean matches(MemorySegment memory, long shift, long at, long length) {
        return MemorySegment.mismatch(memory, shift, shift + length, memory, at, at + length) < 0;
    }
}
