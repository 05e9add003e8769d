/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.filecopy;

import io.docajava.samples.cli.SampleException;

/**
 * The layout of a file in the slots: piece 0 is copied through slot 0, and slots are reused in a ring.
 *
 * @param fileLength in bytes
 * @param slotSize in bytes; the last piece of the file may have less
 * @param slots the number of slots, from 1 to 1024
 */
record RingLayout(long fileLength, long slotSize, int slots) {

    /** More slots do not help: a device runs some dozens of copies at a time. */
    private static final int MAX_SLOTS = 1024;

    /** Far more than any device copies at once. */
    private static final long MAX_SLOT_SIZE = 1L << 40;

    RingLayout {
        if (fileLength < 0 || slotSize < 1 || slotSize > MAX_SLOT_SIZE || slots < 1 || slots > MAX_SLOTS) {
            throw new SampleException("There cannot be " + slots + " slots of " + slotSize + " bytes for a file of "
                    + fileLength + " bytes");
        }
    }

    /** Returns the size of the control page and the slots together. */
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

    /** Returns the size of a piece in bytes. */
    long length(long piece) {
        return Math.min(slotSize, fileLength - piece * slotSize);
    }

    /** Returns the number of bytes in the first {@code pieces} pieces. */
    long bytes(long pieces) {
        return pieces >= pieces() ? fileLength : pieces * slotSize;
    }
}
