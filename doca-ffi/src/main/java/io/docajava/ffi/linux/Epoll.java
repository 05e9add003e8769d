/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.linux;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.DocaException;
import io.docajava.ffi.internal.NativeAccess;
import io.docajava.ffi.internal.Platform;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;

/**
 * Waits until a file descriptor can be read or another thread calls {@link #wake()} ({@code epoll} and {@code eventfd}). One thread
 * at a time may call the methods; any thread may call {@code wake}. Waiting allocates nothing, unless it is interrupted.
 */
public final class Epoll implements AutoCloseable {

    private static final int MAX_EVENTS = 16;

    private final Arena arena;
    private final EpollEvents events;
    private final LinuxCalls calls;
    private final int epoll;

    /** Guards the state that {@code wake} shares with the waiting thread. */
    private final Object lock = new Object();

    private final LinuxCalls wakeCalls;
    private final MemorySegment one;
    private final MemorySegment read;
    private final int wakeup;
    private boolean waiting;
    private boolean closed;

    private final int[] ready = new int[MAX_EVENTS];
    private InterruptWatch interrupts = new InterruptWatch(this);

    private Epoll(Arena arena) {
        this.arena = arena;
        events = new EpollEvents(Platform.current(), arena, MAX_EVENTS);
        calls = new LinuxCalls(arena);
        wakeCalls = new LinuxCalls(arena);
        one = arena.allocateFrom(JAVA_LONG, 1);
        read = arena.allocate(JAVA_LONG);
        epoll = calls.epollCreate();
        try {
            wakeup = calls.eventfd();
        } catch (Throwable e) {
            calls.close(epoll);
            throw e;
        }
        try {
            calls.epollAdd(epoll, wakeup, events.toAdd(wakeup));
        } catch (Throwable e) {
            calls.close(wakeup);
            calls.close(epoll);
            throw e;
        }
    }

    /** Initializes the classes that waiting needs, so that a lack of memory during the first wait cannot make them unusable. */
    public static void initialize() {
        LinuxCalls.initialize();
    }

    /**
     * Creates an instance that watches nothing yet.
     *
     * @throws DocaException if the system refuses, for example because too many files are open
     */
    public static Epoll open() {
        NativeAccess.require();
        Arena arena = Arena.ofShared();
        try {
            return new Epoll(arena);
        } catch (Throwable e) {
            arena.close();
            throw e;
        }
    }

    /**
     * Watches a file descriptor for being readable.
     *
     * @throws DocaException if the system refuses, for example because it is watched already
     */
    public void add(int descriptor) {
        checkOpen();
        calls.epollAdd(epoll, descriptor, events.toAdd(descriptor));
    }

    /**
     * Stops watching a file descriptor.
     *
     * @throws DocaException if the system refuses, for example because it is not watched
     */
    public void remove(int descriptor) {
        checkOpen();
        calls.epollRemove(epoll, descriptor, events.toAdd(descriptor));
    }

    /**
     * Waits until something can be read, {@link #wake()} is called or was called since the last wait, the thread is
     * interrupted, or the time has elapsed. The interrupt status is not changed; if it is set, the method does not wait.
     *
     * @param timeoutNanos the time limit, rounded up to milliseconds; 0 polls, a negative value means no limit
     * @return the number of descriptors that can be read: {@link #ready} returns each
     * @throws DocaException if the system refuses
     */
    public int await(long timeoutNanos) {
        synchronized (lock) {
            checkOpen();
            waiting = true;
        }
        try {
            return awaitOrInterrupt(timeoutNanos);
        } finally {
            synchronized (lock) {
                waiting = false;
            }
        }
    }

    private int awaitOrInterrupt(long timeoutNanos) {
        if (!interrupts.isOpen()) {
            interrupts = new InterruptWatch(this);
        }
        interrupts.enter();
        try {
            return waitAndCollect(timeoutNanos);
        } finally {
            interrupts.leave();
        }
    }

    private int waitAndCollect(long timeoutNanos) {
        int count = waitUninterrupted(timeoutNanos);
        int found = 0;
        for (int i = 0; i < count; i++) {
            int descriptor = events.descriptor(i);
            if (descriptor == wakeup) {
                calls.read(wakeup, read);
            } else {
                ready[found++] = descriptor;
            }
        }
        return found;
    }

    /** Waits again for the rest of the time if a signal ends the system's wait early. */
    private int waitUninterrupted(long timeoutNanos) {
        long start = System.nanoTime();
        int count = calls.epollWait(epoll, events.memory(), MAX_EVENTS, milliseconds(timeoutNanos));
        while (count < 0) {
            long left = timeoutNanos < 0 ? -1 : Math.max(0, timeoutNanos - (System.nanoTime() - start));
            count = calls.epollWait(epoll, events.memory(), MAX_EVENTS, milliseconds(left));
        }
        return count;
    }

    private static int milliseconds(long nanos) {
        if (nanos < 0) {
            return -1;
        }
        long rounded = TimeUnit.NANOSECONDS.toMillis(nanos) + (nanos % TimeUnit.MILLISECONDS.toNanos(1) == 0 ? 0 : 1);
        return (int) Math.min(rounded, Integer.MAX_VALUE);
    }

    /**
     * Returns a descriptor that the last {@link #await} found readable.
     *
     * @param index from 0 to the result of {@link #await}, exclusive
     */
    public int ready(int index) {
        return ready[index];
    }

    /** Ends the current wait, or else the next one. Any thread may call; does nothing when closed. */
    public void wake() {
        synchronized (lock) {
            if (!closed) {
                wakeCalls.write(wakeup, one);
            }
        }
    }

    /**
     * Frees the system's resources. The watched descriptors stay open. Closing twice does nothing.
     *
     * @throws IllegalStateException if a thread is waiting
     */
    @Override
    public void close() {
        synchronized (lock) {
            if (waiting) {
                throw new IllegalStateException("An Epoll cannot close while a thread waits on it: wake it first");
            }
            if (closed) {
                return;
            }
            closed = true;
        }
        calls.close(wakeup);
        calls.close(epoll);
        arena.close();
    }

    boolean isWaiting() {
        synchronized (lock) {
            return waiting;
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("The Epoll is closed");
        }
    }
}
