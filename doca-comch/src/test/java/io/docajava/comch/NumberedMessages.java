/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;

/** Messages of random length and content, which depend only on their number and are the same in every process. */
final class NumberedMessages {

    /** The maximum length of a message on the emulator. */
    static final int LONGEST = 2048;

    private static final int VARIETY = 1 << 20;
    private static final byte[] RANDOM = new byte[VARIETY + LONGEST];

    static {
        new Random(1).nextBytes(RANDOM);
    }

    private NumberedMessages() {}

    /** Returns the message of a number. It contains the number if it is long enough. */
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

    /** Returns the digest of a message: its length and its checksum. */
    static long digest(byte[] message) {
        CRC32 checksum = new CRC32();
        checksum.update(message);
        return (long) message.length << Integer.SIZE | checksum.getValue();
    }
}
