/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;

/** Messages of random lengths and bytes, the same for a number in every process. */
final class NumberedMessages {

    /** The most that a message can have on the emulator. */
    static final int LONGEST = 4080;

    private static final int VARIETY = 1 << 20;
    private static final byte[] RANDOM = new byte[VARIETY + LONGEST];

    static {
        new Random(1).nextBytes(RANDOM);
    }

    private NumberedMessages() {}

    /** The message of a number, which stands in it where there is room. */
    static byte[] message(long number) {
        Random random = new Random(number);
        int length = 1 + random.nextInt(LONGEST);
        int from = random.nextInt(VARIETY);
        byte[] message = Arrays.copyOfRange(RANDOM, from, from + length);
        if (length >= Long.BYTES) {
            ByteBuffer.wrap(message).putLong(number);
        }
        return message;
    }

    /** What stands for a message: its length, and its checksum. */
    static long digest(byte[] message) {
        CRC32 checksum = new CRC32();
        checksum.update(message);
        return (long) message.length << Integer.SIZE | checksum.getValue();
    }
}
