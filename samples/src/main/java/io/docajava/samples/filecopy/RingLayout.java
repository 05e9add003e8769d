/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.filecopy;

import io.docajava.samples.cli.SampleException;

/**
 * Layout of a file in the slots: piece 0 through slot 0, and after the last slot the first one again.
 *
 * @param fileLength in bytes
 * @param slotSize in bytes; the last piece of the file may have less
 * @param slots how many there are, from 1 to 1024
 */
record RingLayout(long fileLength, long slotSize, int slots) {

    /** More help no device: it works on some dozens of copies at a time. */
    private static final int MAX_SLOTS = 1024;

    /** Far more than any device copies at a time. */
    private static final long MAX_SLOT_SIZE = 1L << 40;

    RingLayout {
        if (fileLength < 0 || slotSize < 1 || slotSize > MAX_SLOT_SIZE || slots < 1 || slots > MAX_SLOTS) {
            throw new SampleException("There cannot be " + slots + " slots of " + slotSize + " bytes for a file of "
                    + fileLength + " bytes");
        }
    }

    /** The size of control page and slots together. */
    long memoryLength() {
        return ControlPage.LENGTH + slots * slotSize;
    }

    /** Returns the number of pieces of the file; 0 if it is empty. */
    long pieces() {
        return Math.ceilDiv(fileLength, slotSize);
    }

    /** Returns the offset of the slot for a piece. */
    long offset(long piece) {
        return ControlPage.LENGTH + piece % slots * slotSize;
    }

    /** The size of a piece in bytes. */
    long length(long piece) {
        return Math.min(slotSize, fileLength - piece * slotSize);
    }

    /** Returns the number of bytes in a number of pieces from the beginning. */
    long bytes(long pieces) {
        return pieces >= pieces() ? fileLength : pieces * slotSize;
    }
}
