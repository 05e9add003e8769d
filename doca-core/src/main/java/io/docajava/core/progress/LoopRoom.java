/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import java.util.concurrent.Semaphore;

/**
 * The places in the queue of a loop. A piece of work takes one when it is queued and holds it until the loop has done it
 * and nothing that it asked for waits for a free task, so that what waits anywhere is bounded.
 */
final class LoopRoom {

    /** More than can ever be asked for. */
    static final int LIMIT = 1 << 29;

    private final int size;
    private final Places places;
    /** Places of work that is done and that the loop's thread, which alone uses this, has not given back. */
    private int done;

    LoopRoom(int size) {
        this.size = size;
        places = new Places(size);
    }

    /** Takes a place if there is one. */
    boolean tryEnter() {
        return places.tryAcquire();
    }

    /** Takes a place as soon as there is one, or the loop ends. */
    void enter() throws InterruptedException {
        places.acquire();
    }

    /** Takes a place in any case, for a thread that must not wait. */
    void acquireBeyondLimit() {
        places.reducePermits(1);
    }

    /**
     * Gives places back. Called by the loop's thread.
     *
     * @param more work that was done since the last call
     * @param waiting how much of all waits for free tasks
     */
    void leave(int more, int waiting) {
        done += more;
        if (done > waiting) {
            int free = done - waiting;
            done = waiting;
            places.release(free);
        }
    }

    /** Returns how many places are taken. Any thread may call. */
    int taken() {
        return Math.max(size - places.availablePermits(), 0);
    }

    /** The loop takes no more work: whoever waits for a place is to learn that. */
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
