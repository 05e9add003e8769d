/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.engine;

import io.docajava.core.DocaError;
import io.docajava.core.internal.call.Calls;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.linux.Epoll;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The sleep of an engine's thread in the kernel, and what ends it: an event of the engine, a wake-up, an interrupt.
 *
 * <p>No event is lost: the SDK signals one that comes before the request at once, and a later one anyway. The caller
 * progresses after the sleep, whatever ended it, so that nothing is lost by clearing.
 *
 * <p>A request arms every completion queue of the engine. The SDK does not progress an armed queue until its own event
 * has fired and {@code doca_pe_clear_notification} was called after that; the clear at the end of a sleep disarms only the
 * queues whose events fired before it. The SDK does not say which queues are armed, so after the first request the
 * engine has to assume that some are: progress then clears again from time to time, by {@link #disarm()}.
 *
 * <p>No wake-up is lost, and only one that finds the thread asleep costs a system call. All changes of {@link #state}
 * are atomic and so have one order that all threads agree on. A wake-up makes the state {@link #WOKEN}. If that comes
 * before the thread would fall asleep, the change from {@link #AWAKE} to {@link #ASLEEP} fails. If it comes after,
 * it finds the thread asleep and writes to what the thread waits on. Either way the thread takes the wake-up back by a
 * change that reads it, and so sees what the waking thread had done before. One that comes after the thread has taken
 * the last one back prevents the next sleep. A write may come late, when another event has ended the sleep: then it ends
 * the next one early, which does no harm.
 */
final class EngineSleep {

    /** Running, and not woken since it last looked. */
    private static final int AWAKE = 0;
    /** In the kernel, or about to be: to be woken by a write. */
    private static final int ASLEEP = 1;
    /** Called since it last looked: it is not to sleep. */
    private static final int WOKEN = 2;

    /** The time that a virtual thread parks between two looks. */
    private static final long PARKED_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** How soon after a sleep progress clears again; doubled each time, up to {@link #LONGEST_CLEAR_NANOS}. */
    private static final long FIRST_CLEAR_NANOS = 500;
    /** The longest time that a completion may stay invisible while the engine polls. */
    private static final long LONGEST_CLEAR_NANOS = 16_000;

    private final MemorySegment pe;
    private final MemorySegment out;
    /** True if a queue may be armed. Used by the engine's thread. */
    private boolean armed;
    /** When events were last cleared, in the time of {@link System#nanoTime()}. */
    private long clearedAt;
    /** How long after {@link #clearedAt} progress clears again. */
    private long clearNanos;

    /** Changed by the engine's thread; published by {@link EngineCore}. */
    private long wakeUps;

    private final AtomicInteger state = new AtomicInteger(AWAKE);
    /** Opened for the first sleep, by the engine's thread. */
    private volatile @Nullable Epoll events;

    /**
     * Of an engine.
     *
     * @param out memory for what the SDK returns
     */
    EngineSleep(MemorySegment pe, MemorySegment out) {
        this.pe = pe;
        this.out = out;
    }

    /**
     * Ends the sleep, or keeps the next one from beginning. Any thread may call.
     *
     * @return whether the thread was asleep
     */
    boolean wake() {
        if (state.getAndSet(WOKEN) != ASLEEP) {
            return false;
        }
        Epoll open = events;
        if (open != null) {
            wakeOrStayAsleep(open);
        }
        return true;
    }

    /** If the write fails, for example by a stack overflow, the next wake-up has to find the thread asleep. */
    private void wakeOrStayAsleep(Epoll open) {
        boolean woken = false;
        try {
            open.wake();
            woken = true;
        } finally {
            if (!woken) {
                state.compareAndSet(WOKEN, ASLEEP);
            }
        }
    }

    /**
     * Sleeps until something happens.
     *
     * @param nanos for how long at most; with 0 it only looks
     * @return whether there was an event or a wake-up, and not just the end of the time or an interrupt
     */
    boolean await(long nanos) {
        if (state.getAndSet(AWAKE) == WOKEN) {
            return true;
        }
        Epoll open = openEvents();
        armed = true;
        Calls.check(
                DocaCommon.doca_pe_request_notification(pe), "doca_pe_request_notification", "waiting for completions");
        boolean signalled = false;
        try {
            if (state.compareAndSet(AWAKE, ASLEEP)) {
                signalled = Thread.currentThread().isVirtual() ? awaitParked(open, nanos) : open.await(nanos) > 0;
                wakeUps++;
            }
        } finally {
            signalled |= state.getAndSet(AWAKE) == WOKEN;
        }
        clear(FIRST_CLEAR_NANOS);
        return signalled;
    }

    /**
     * Disarms the queues whose events have fired, if the last time was long enough ago. Called in each round of
     * progress; before the first sleep it does nothing.
     *
     * @return whether queues may have become visible, so that progress is to look again
     */
    boolean disarm() {
        if (!armed || System.nanoTime() - clearedAt < clearNanos) {
            return false;
        }
        clear(Math.min(2 * clearNanos, LONGEST_CLEAR_NANOS));
        return true;
    }

    /** In the midst of progress, whose reasons for failures are not delivered yet: a success does not forget them. */
    private void clear(long nanosToNext) {
        int result = DocaCommon.doca_pe_clear_notification(pe, 0);
        if (result != DocaError.SUCCESS.code()) {
            throw Calls.failure(result, "doca_pe_clear_notification", "waiting for completions");
        }
        clearedAt = System.nanoTime();
        clearNanos = nanosToNext;
    }

    /**
     * A virtual thread in the kernel would keep its carrier from all others, one of which may be to wake it. So it looks
     * now and then, and is parked in between.
     */
    private boolean awaitParked(Epoll open, long nanos) {
        long start = System.nanoTime();
        while (open.await(0) == 0) {
            long left = nanos - (System.nanoTime() - start);
            if (left <= 0 || state.get() == WOKEN || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(Math.min(left, PARKED_NANOS));
        }
        return true;
    }

    /** Returns how often the thread has slept, and gone on. Any thread may call. */
    long wakeUps() {
        return wakeUps;
    }

    private Epoll openEvents() {
        Epoll open = events;
        if (open == null) {
            Calls.check(
                    DocaCommon.doca_pe_get_notification_handle(pe, out),
                    "doca_pe_get_notification_handle",
                    "waiting for completions");
            open = Epoll.open();
            try {
                open.add(out.get(ValueLayout.JAVA_INT, 0));
            } catch (Throwable failure) {
                open.close();
                throw failure;
            }
            events = open;
        }
        return open;
    }

    /** Frees what sleeping needs; a wake-up may still come, and does nothing. */
    void close() {
        Epoll open = events;
        if (open != null) {
            open.close();
        }
    }
}
