/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.filecopy;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;

/** Copies the pieces of the file in their order, many at a time: some are under way while another one is being used. */
final class SlotReader {

    /** The largest number of copies in flight. */
    static final int TASKS = 64;

    /** The number of buffers that it takes. */
    static final int BUFFERS = 2 * TASKS;

    private final HostCopies copies;
    private final RingLayout layout;

    /** From the piece that is next to be taken on. */
    private final Queue<HostCopies.Copy> begun = new ArrayDeque<>();

    private long taken;

    SlotReader(HostCopies copies, RingLayout layout) {
        this.copies = copies;
        this.layout = layout;
    }

    /** Begins to copy what can be copied of so many pieces that are filled: their places in the mirror have to be free. */
    void begin(long filled) {
        long room = taken + Math.min(layout.slots(), TASKS);
        long end = Math.min(Math.min(filled, layout.pieces()), room);
        for (long piece = begun(); piece < end; piece++) {
            begun.add(copies.read(layout.offset(piece), layout.length(piece)));
        }
    }

    /** Returns the number of pieces that were begun. */
    long begun() {
        return taken + begun.size();
    }

    /** Returns the number of pieces that were copied, without a gap. */
    long copied() {
        return taken + begun.stream().takeWhile(HostCopies.Copy::isCopied).count();
    }

    /** Waits for the next piece, which was begun. Its bytes are there until {@link #take}. */
    ByteBuffer await() throws InterruptedException {
        begun.element().await();
        return copies.mirror()
                .segment()
                .asSlice(layout.offset(taken), layout.length(taken))
                .asByteBuffer();
    }

    /** Ends the use of the piece that {@link #await} gave. */
    void take() {
        begun.remove().close();
        taken++;
    }
}
