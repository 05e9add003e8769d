/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.engine;

import java.util.concurrent.Semaphore;

/**
 * The places for one kind of work in the queue of a loop, which bound the number of queued commands and of operations that wait for
 * free tasks. Each {@code WaitingLine} of a context has a room, so that operations that wait keep no others out, and all other work
 * has one.
 *
 * <p>A command takes a place from its queueing until the loop has run it. An operation takes a place while it waits, even if none is
 * free. A thread that waits for a place also goes on when the room is opened.
 */
public final class LoopRoom {

    /** The maximum number of places. */
    public static final int LIMIT = 1 << 29;

    private final LoopRooms rooms;
    private final String name;
    private final int size;
    private final Places places;

    /** Released by {@link #update()}. This field and those below are used by the loop's thread only. */
    private int unused;
    /** Whether {@link LoopRooms} will update the room. */
    private boolean isChanged;

    /** True if every thread gets a place. Guarded by this. */
    private boolean open;

    LoopRoom(LoopRooms rooms, String name, int size) {
        this.rooms = rooms;
        this.name = name;
        this.size = size;
        this.places = new Places(size);
    }

    /** Takes a place; returns false if none is free. Any thread may call. */
    public boolean tryTake() {
        return places.tryAcquire();
    }

    /** Takes a place, and waits until one is free. Any thread may call. */
    public void take() throws InterruptedException {
        places.acquire();
    }

    /** Takes a place even if none is free, for a thread that must not wait. */
    public void takeBeyondLimit() {
        places.reducePermits(1);
    }

    /** Frees the place of a command that has run, with the next update. Called by the loop's thread. */
    public void commandRun() {
        change(1);
    }

    /** Takes places for operations that wait, or frees them, with the next update. Called by the loop's thread. */
    public void addWaiting(int more) {
        change(-more);
    }

    private void change(int more) {
        unused += more;
        if (!isChanged) {
            isChanged = true;
            rooms.changed(this);
        }
    }

    /** Lets other threads see the changes. */
    void update() {
        int free = unused;
        unused = 0;
        isChanged = false;
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

    /** Returns the reason why there is no free place. */
    public String full() {
        return name + " is full: it has as much work queued as its limit allows, which is " + size
                + "; maxQueued() of the loop sets it";
    }

    /** Releases all waiting threads, as {@link #open} does, and leaves the loop. */
    public void close() {
        rooms.remove(this);
        open();
    }

    /** Releases all waiting threads when no more work is accepted; what they queue is then refused. */
    synchronized void open() {
        if (!open) {
            open = true;
            places.release(LIMIT);
        }
    }

    /** Opens the protected method. */
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
