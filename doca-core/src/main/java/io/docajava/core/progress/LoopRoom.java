/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import java.util.concurrent.Semaphore;

/**
 * The places in the queue of a loop. A command takes a place when it is queued. The place is free again when the loop has run the
 * command and no operation of it waits for a free task. So queued commands and waiting operations together are bounded.
 */
final class LoopRoom {

    /** The largest number of places. */
    static final int LIMIT = 1 << 29;

    private final int size;
    private final Places places;
    /** Places of commands that have run and are not given back yet; used by the loop's thread only. */
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
     * @param more the number of commands run since the last call
     * @param waiting the number of all operations that wait for free tasks
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

    /** Lets all waiting threads go on when the loop takes no more work; they check that afterwards. */
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
