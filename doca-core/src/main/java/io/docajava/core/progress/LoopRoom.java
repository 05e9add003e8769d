/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import java.util.concurrent.Semaphore;

/**
 * The places in the queue of a loop, which bound the number of queued commands and operations that wait for free tasks. A command
 * takes a place from its queueing until the loop has run it. An operation takes a place while it waits, even if none is free. A
 * thread that waits for a place also goes on when the loop ends.
 */
final class LoopRoom extends Semaphore {

    /** The maximum number of places. */
    static final int LIMIT = 1 << 29;

    private static final long serialVersionUID = 1;

    private final int size;
    /** The number of places of operations that wait for free tasks; used by the loop's thread only. */
    private int waiting;

    LoopRoom(int size) {
        super(size);
        this.size = size;
    }

    /** Takes a place even if none is free, for a thread that must not wait. */
    void acquireBeyondLimit() {
        reducePermits(1);
    }

    /**
     * Frees the places of commands that have run, and updates those of operations that wait. Called by the loop's thread.
     *
     * @param run the number of commands run since the last call
     * @param nowWaiting the number of operations that wait for free tasks
     */
    void update(int run, int nowWaiting) {
        int free = run + waiting - nowWaiting;
        waiting = nowWaiting;
        if (free > 0) {
            release(free);
        } else if (free < 0) {
            reducePermits(-free);
        }
    }

    /** Returns the number of places that are taken. Any thread may call. */
    int taken() {
        return Math.max(size - availablePermits(), 0);
    }

    /** Releases all waiting threads when the loop accepts no more work; they then check whether it is closed. */
    void open() {
        release(LIMIT);
    }
}
