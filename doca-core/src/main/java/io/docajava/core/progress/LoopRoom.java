/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import java.util.concurrent.Semaphore;

/**
 * The places in the queue of a loop, which bound the number of queued commands and operations that wait for free tasks. A command
 * takes a place when it is queued. The place is free again when the loop has run the command and none of its operations waits for
 * a free task.
 */
final class LoopRoom {

    /** The maximum number of places. */
    static final int LIMIT = 1 << 29;

    private final int size;
    private final Places places;
    /** The number of places of commands that have run and whose places are not free yet; used by the loop's thread only. */
    private int done;

    LoopRoom(int size) {
        this.size = size;
        places = new Places(size);
    }

    /** Takes a place if one is free. */
    boolean tryEnter() {
        return places.tryAcquire();
    }

    /** Waits until a place is free or the loop ends, and takes it. */
    void enter() throws InterruptedException {
        places.acquire();
    }

    /** Takes a place even if none is free, for a thread that must not wait. */
    void acquireBeyondLimit() {
        places.reducePermits(1);
    }

    /**
     * Frees places. Called by the loop's thread.
     *
     * @param more the number of commands run since the last call
     * @param waiting the number of operations that wait for free tasks
     */
    void leave(int more, int waiting) {
        done += more;
        if (done > waiting) {
            int free = done - waiting;
            done = waiting;
            places.release(free);
        }
    }

    /** Returns the number of places that are taken. Any thread may call. */
    int taken() {
        return Math.max(size - places.availablePermits(), 0);
    }

    /** Releases all waiting threads when the loop accepts no more work; they then check whether it is closed. */
    void open() {
        places.release(LIMIT);
    }

    private static final class Places extends Semaphore {

        private static final long serialVersionUID = 1;

        Places(int size) {
            super(size);
        }

        @Override
        protected void reducePermits(int reduction) {
            super.reducePermits(reduction);
        }
    }
}
