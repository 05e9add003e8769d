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
 * The first page of the shared memory, by which host and DPU tell each other how far they are. All numbers are little
 * endian and have 64 bits, so that neither side can see one half new and the other half old.
 *
 * <p>The first two cache lines are the host's: what the file and the slots are like, which never changes, and how much is
 * filled. The third one is the DPU's, which writes it by DMA. The DPU has a copy of the page.
 */
final class ControlPage {

    /** The size of the page, so that the slots behind it begin at a page of their own. */
    static final long LENGTH = 4096;

    /** The size of what the host writes, from the beginning. */
    static final long HOST_LENGTH = 128;

    /** Offset of the DPU's part, which is also its size. */
    static final long DPU_OFFSET = HOST_LENGTH;

    static final long DPU_LENGTH = 16;

    /** "DOCAFILE", and the version of this layout. */
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
        /** It is not there yet. */
        ABSENT(0),
        COPYING(1),
        /** It has the whole file. */
        DONE(2),
        /** It gave up. */
        FAILED(3);

        private final long number;

        DpuState(long number) {
            this.number = number;
        }
    }

    private final MemorySegment page;

    /**
     * @param page of zeros at first
     */
    ControlPage(MemorySegment page) {
        this.page = page;
    }

    /** Writes what never changes. By the host, before it exports the memory. */
    void describe(RingLayout layout) {
        page.set(NUMBER, MAGIC_AT, MAGIC);
        page.set(NUMBER, VERSION_AT, VERSION);
        page.set(NUMBER, FILE_LENGTH_AT, layout.fileLength());
        page.set(NUMBER, SLOT_SIZE_AT, layout.slotSize());
        page.set(NUMBER, SLOTS_AT, layout.slots());
    }

    /** Returns whether this is a page of this kind and version. */
    boolean isKnown() {
        return page.get(NUMBER, MAGIC_AT) == MAGIC && page.get(NUMBER, VERSION_AT) == VERSION;
    }

    /** The content that {@link #describe} wrote. */
    RingLayout layout() {
        return new RingLayout(page.get(NUMBER, FILE_LENGTH_AT), page.get(NUMBER, SLOT_SIZE_AT), (int)
                Math.min(page.get(NUMBER, SLOTS_AT), Integer.MAX_VALUE));
    }

    /** Tells that so many pieces of the file were put into their slots. */
    void fill(long pieces) {
        NUMBERS.setRelease(page, FILLED_AT, pieces);
    }

    long filled() {
        return (long) NUMBERS.getAcquire(page, FILLED_AT);
    }

    /** Tells the SHA-256 of the file, all of which was filled. */
    void complete(byte[] sha256) {
        MemorySegment.copy(sha256, 0, page, JAVA_BYTE, DIGEST_AT, DIGEST_LENGTH);
        NUMBERS.setRelease(page, COMPLETE_AT, 1L);
    }

    /** Returns whether there is a digest. In a copy of the page that was made while this changed, the digest may be older. */
    boolean isComplete() {
        return (long) NUMBERS.getAcquire(page, COMPLETE_AT) == 1;
    }

    byte[] digest() {
        return page.asSlice(DIGEST_AT, DIGEST_LENGTH).toArray(JAVA_BYTE);
    }

    /** Tells that so many pieces were copied, whose slots can be filled again. */
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
