/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.soak;

import io.docajava.rdma.ReceivedKind;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * A message to a peer. Both sides derive its content from the number of the message.
 *
 * @param shift the offset of its bytes in the random bytes that all processes have
 * @param offset the offset in the inbox, for a write
 */
record Message(ReceivedKind kind, int length, int shift, int offset, int immediate) {

    private static final List<ReceivedKind> KINDS = List.of(ReceivedKind.values());
    private static final int EXPONENTS = 26;

    static Message of(long key, long number) {
        SplittableRandom random = new SplittableRandom(key * 0x9E3779B97F4A7C15L + number);
        ReceivedKind kind = KINDS.get(random.nextInt(KINDS.size()));
        int length = length(random, EXPONENTS);
        return new Message(
                kind,
                length,
                random.nextInt(Layout.SHIFTS),
                random.nextInt(Layout.MAX - length + 1),
                kind == ReceivedKind.SEND ? 0 : random.nextInt());
    }

    /** Returns a length up to this power of 2: 0, the maximum, and each number of bits between them are equally likely. */
    static int length(RandomGenerator random, int exponent) {
        int bits = random.nextInt(exponent + 2);
        return bits == 0 ? 0 : bits > exponent ? 1 << exponent : random.nextInt(1 << (bits - 1), 1 << bits);
    }

    static int length(RandomGenerator random) {
        return length(random, EXPONENTS);
    }
}
