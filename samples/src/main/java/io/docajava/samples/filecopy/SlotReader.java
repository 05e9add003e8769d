/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.filecopy;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;

/** Copies the pieces of the file in order. Further copies are in flight while a piece is being used. */
final class SlotReader {

    /** The largest number of copies in flight. */
    static final int TASKS = 64;

    private final HostCopies copies;
    private final RingLayout layout;

    /** The copies of the pieces that were not taken yet, in order. */
    private final Queue<HostCopies.Copy> begun = new ArrayDeque<>();

    private long taken;

    SlotReader(HostCopies copies, RingLayout layout) {
        this.copies = copies;
        this.layout = layout;
    }

    /** Submits copies of filled pieces, as far as their slots in the mirror are free. */
    void begin(long filled) {
        long room = taken + Math.min(layout.slots(), TASKS);
        long end = Math.min(Math.min(filled, layout.pieces()), room);
        for (long piece = begun(); piece < end; piece++) {
            begun.add(copies.read(layout.offset(piece), layout.length(piece)));
        }
    }

    /** Returns the number of pieces whose copies were submitted. */
    long begun() {
        return taken + begun.size();
    }

    /** Returns the number of pieces, from the first one on, that are copied. */
    long copied() {
        return taken + begun.stream().takeWhile(HostCopies.Copy::isCopied).count();
    }

    /** Waits for the copy of the next piece, and returns its bytes, which are valid until {@link #take}. */
    ByteBuffer await() throws InterruptedException {
        begun.element().await();
        return copies.mirror()
                .segment()
                .asSlice(layout.offset(taken), layout.length(taken))
                .asByteBuffer();
    }

    /** Ends the use of the piece that {@link #await} has returned. */
    void take() {
        begun.remove();
        taken++;
    }
}
