/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.filecopy;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The first page of the shared memory, in which host and DPU publish their progress. All numbers are little
 * endian and have 64 bits, so that neither side can see a partly written number.
 *
 * <p>The host writes the first two cache lines: the constant sizes of the file and the slots, and the number of pieces that
 * are filled. The DPU writes the third one by DMA. The DPU has a copy of the page.
 */
final class ControlPage {

    /** The size of the page; the slots behind it begin on a page boundary. */
    static final long LENGTH = 4096;

    /** The size of the host's part, at the beginning of the page. */
    static final long HOST_LENGTH = 128;

    /** Offset of the DPU's part, which is also its size. */
    static final long DPU_OFFSET = HOST_LENGTH;

    static final long DPU_LENGTH = 16;

    /** The text "DOCAFILE"; the version of the layout follows it. */
    private static final long MAGIC = 0x454c4946_41434f44L;

    private static final long VERSION = 1;

    private static final long MAGIC_AT = 0;
    private static final long VERSION_AT = 8;
    private static final long FILE_LENGTH_AT = 16;
    private static final long SLOT_SIZE_AT = 24;
    private static final long SLOTS_AT = 32;

    private static final long FILLED_AT = 64;
    private static final long COMPLETE_AT = 72;
    private static final long DIGEST_AT = 80;
    private static final int DIGEST_LENGTH = 32;

    private static final long RELEASED_AT = DPU_OFFSET;
    private static final long STATE_AT = DPU_OFFSET + 8;

    private static final ValueLayout.OfLong NUMBER = JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle NUMBERS = NUMBER.varHandle();

    /** States of the DPU. */
    enum DpuState {
        /** The DPU has not connected yet. */
        ABSENT(0),
        COPYING(1),
        /** The DPU has the whole file. */
        DONE(2),
        /** The DPU has given up. */
        FAILED(3);

        private final long number;

        DpuState(long number) {
            this.number = number;
        }
    }

    private final MemorySegment page;

    /**
     * @param page the memory of the page, initially zero
     */
    ControlPage(MemorySegment page) {
        this.page = page;
    }

    /** Writes the constant part. The host calls this before it exports the memory. */
    void describe(RingLayout layout) {
        page.set(NUMBER, MAGIC_AT, MAGIC);
        page.set(NUMBER, VERSION_AT, VERSION);
        page.set(NUMBER, FILE_LENGTH_AT, layout.fileLength());
        page.set(NUMBER, SLOT_SIZE_AT, layout.slotSize());
        page.set(NUMBER, SLOTS_AT, layout.slots());
    }

    /** Returns whether this is a control page of this version. */
    boolean isKnown() {
        return page.get(NUMBER, MAGIC_AT) == MAGIC && page.get(NUMBER, VERSION_AT) == VERSION;
    }

    /** Returns the layout that {@link #describe} has written. */
    RingLayout layout() {
        return new RingLayout(page.get(NUMBER, FILE_LENGTH_AT), page.get(NUMBER, SLOT_SIZE_AT), (int)
                Math.min(page.get(NUMBER, SLOTS_AT), Integer.MAX_VALUE));
    }

    /** Publishes the number of pieces of the file that are in their slots. */
    void fill(long pieces) {
        NUMBERS.setRelease(page, FILLED_AT, pieces);
    }

    long filled() {
        return (long) NUMBERS.getAcquire(page, FILLED_AT);
    }

    /** Publishes the SHA-256 of the file, after all pieces. */
    void complete(byte[] sha256) {
        MemorySegment.copy(sha256, 0, page, JAVA_BYTE, DIGEST_AT, DIGEST_LENGTH);
        NUMBERS.setRelease(page, COMPLETE_AT, 1L);
    }

    /**
     * Returns whether the digest is complete. In a copy that was made during the change, the digest may be older than this flag.
     */
    boolean isComplete() {
        return (long) NUMBERS.getAcquire(page, COMPLETE_AT) == 1;
    }

    byte[] digest() {
        return page.asSlice(DIGEST_AT, DIGEST_LENGTH).toArray(JAVA_BYTE);
    }

    /** Publishes the number of copied pieces, whose slots can be filled again. */
    void release(long pieces) {
        NUMBERS.setRelease(page, RELEASED_AT, pieces);
    }

    long released() {
        return (long) NUMBERS.getAcquire(page, RELEASED_AT);
    }

    void setDpuState(DpuState state) {
        NUMBERS.setRelease(page, STATE_AT, state.number);
    }

    DpuState dpuState() {
        long number = (long) NUMBERS.getAcquire(page, STATE_AT);
        return Arrays.stream(DpuState.values())
                .filter(state -> state.number == number)
                .findFirst()
                .orElse(DpuState.FAILED);
    }
}
