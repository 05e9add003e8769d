/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import java.util.concurrent.Semaphore;

/**
 * The places in the queue of a loop, which bound the number of queued commands and operations that wait for free tasks. A command
 * takes a place from its queueing until the loop has run it. An operation takes a place while it waits, even if none is free.
 */
final class LoopRoom {

    /** The maximum number of places. */
    static final int LIMIT = 1 << 29;

    private final int size;
    private final Places places;
    /** The number of places of operations that wait for free tasks; used by the loop's thread only. */
    private int waiting;

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
     * Frees the places of commands that have run, and updates those of operations that wait. Called by the loop's thread.
     *
     * @param run the number of commands run since the last call
     * @param nowWaiting the number of operations that wait for free tasks
     */
    void update(int run, int nowWaiting) {
        int free = run + waiting - nowWaiting;
        waiting = nowWaiting;
        if (free > 0) {
            places.release(free);
        } else if (free < 0) {
            places.reducePermits(-free);
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
