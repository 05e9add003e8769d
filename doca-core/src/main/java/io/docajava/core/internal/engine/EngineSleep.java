/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.engine;

import io.docajava.DocaException;
import io.docajava.core.DocaError;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.lifecycle.Undo;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.linux.Epoll;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Lets an engine's thread sleep in the kernel until an event of the engine, a wake-up or an interrupt. {@link
 * EngineWaits} and {@link EngineImpl} call it.
 *
 * <p>No completion is lost. The SDK signals a completion even if it occurred before the request. The caller progresses
 * after each sleep, so clearing the notification loses nothing. Other events are lost: DOCA 3.0 discards a pending
 * event of a connection when it is armed, and the end of a stop. While a context may have such events, {@link #pause}
 * replaces {@link #await}.
 *
 * <p>A request arms every completion queue of the engine. The SDK does not progress an armed queue until its own event
 * has fired and {@code doca_pe_clear_notification} was called after that; the clear at the end of a sleep disarms only
 * the queues whose events fired before it. The SDK does not say which queues are armed, so after the first request the
 * engine has to assume that some are: progress then clears again from time to time, by {@link #disarm()}.
 *
 * <p>No wake-up is lost, and a wake-up costs a system call only if the thread is asleep. All changes of {@link #state}
 * are atomic. A wake-up sets {@link #WOKEN}. If the thread is not asleep yet, its change from {@link #AWAKE} to {@link
 * #ASLEEP} fails. If it is asleep, the waking thread writes to the descriptor that it waits on. In both cases the
 * sleeping thread resets the state by an atomic read, and so sees everything the waking thread did before. A wake-up
 * after that reset prevents the next sleep. If another event has ended the sleep, the write may come late and end the
 * next sleep early, which does no harm.
 */
final class EngineSleep {

    /** Running, without a wake-up since the last reset. */
    private static final int AWAKE = 0;
    /** Asleep in the kernel, or about to be: a wake-up has to write. */
    private static final int ASLEEP = 1;
    /** Woken since the last reset: the thread must not sleep. */
    private static final int WOKEN = 2;

    /** How often a wake-up is tried when memory is short, with a pause after each. */
    private static final int ATTEMPTS_TO_WAKE = 1_000;

    /** The time that a virtual thread parks between two polls, and a thread between two attempts to wake. */
    private static final long PARKED_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The delay after a sleep until progress clears again; doubled each time, up to {@link #LONGEST_CLEAR_NANOS}. */
    private static final long FIRST_CLEAR_NANOS = 500;
    /** The longest time that a completion may stay invisible while the engine polls. */
    private static final long LONGEST_CLEAR_NANOS = 16_000;

    /** The duration of the first pause after work was found; doubled each time, up to {@link #LONGEST_PAUSE_NANOS}. */
    private static final long FIRST_PAUSE_NANOS = 10_000;
    /** The longest time that an event may go unnoticed while the engine is not armed. */
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final MemorySegment pe;
    private final MemorySegment out;
    /** True if a queue may be armed. Only the engine's thread uses it. */
    private boolean armed;
    /** When events were last cleared, in the time of {@link System#nanoTime()}. */
    private long clearedAt;
    /** How long after {@link #clearedAt} progress clears again. */
    private long clearNanos;

    /** The duration of the next pause. Only the engine's thread uses it. */
    private long pauseNanos = FIRST_PAUSE_NANOS;

    /** Changed by the engine's thread; published by {@link EngineImpl}. */
    private long wakeUps;

    private final AtomicInteger state = new AtomicInteger(AWAKE);
    /** Opened for the first sleep, by the engine's thread. */
    private volatile @Nullable Epoll events;

    /**
     * Creates the sleep of an engine. Initializes what sleeping needs: a class whose initialization runs out of memory can never be used
     * again, and an engine first falls asleep at any time.
     *
     * @param out memory for results of the SDK
     */
    EngineSleep(MemorySegment pe, MemorySegment out) {
        Epoll.initialize();
        Calls.prepare(
                DocaCommon.doca_pe_get_notification_handle$handle(),
                DocaCommon.doca_pe_request_notification$handle(),
                DocaCommon.doca_pe_clear_notification$handle());
        this.pe = pe;
        this.out = out;
    }

    /**
     * Ends the current sleep, or prevents the next one. Any thread may call.
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

    /**
     * Writes to the descriptor. If the write fails, for example by a stack overflow, the state becomes ASLEEP again, so
     * that the next wake-up writes. Waits for memory for a while if there is none, since most callers wake only once.
     */
    private void wakeOrStayAsleep(Epoll open) {
        boolean woken = false;
        try {
            for (int attempts = 1; !woken; attempts++) {
                woken = isWritten(open, attempts);
            }
        } finally {
            if (!woken) {
                state.compareAndSet(WOKEN, ASLEEP);
            }
        }
    }

    /** Returns false if memory is short, except after the last attempt. */
    private static boolean isWritten(Epoll open, int attempts) {
        try {
            open.wake();
            return true;
        } catch (OutOfMemoryError e) {
            if (attempts == ATTEMPTS_TO_WAKE) {
                throw e;
            }
            LockSupport.parkNanos(PARKED_NANOS);
            return false;
        }
    }

    /**
     * Opens the descriptors that {@link #await} waits on, unless they are open.
     *
     * @throws DocaException if the system or the SDK refuses, for example because too many files are open; a later call tries
     *     again
     */
    void open() {
        if (events == null) {
            Calls.check(
                    DocaCommon.doca_pe_get_notification_handle(pe, out),
                    "doca_pe_get_notification_handle",
                    "waiting for completions");
            Epoll opened = Epoll.open();
            try {
                opened.add(out.get(ValueLayout.JAVA_INT, 0));
            } catch (Throwable failure) {
                Undo.after(failure, opened::close);
                throw failure;
            }
            events = opened;
        }
    }

    /**
     * Sleeps until an event, a wake-up, the timeout or an interrupt. {@link #open()} must have succeeded.
     *
     * @param nanos the timeout; 0 only polls
     * @return true for an event or a wake-up; false for the timeout or an interrupt
     */
    boolean await(long nanos) {
        if (state.getAndSet(AWAKE) == WOKEN) {
            return true;
        }
        Epoll open = Objects.requireNonNull(events, "the sleep was not opened");
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
     * Pauses for a short time without arming the engine, for contexts that lose events when it is armed and for an engine whose
     * descriptors cannot be opened. Ends early with a wake-up or an interrupt.
     *
     * @param nanos the longest time; 0 or less does not pause
     */
    void pause(long nanos) {
        if (state.getAndSet(AWAKE) != WOKEN) {
            // A wake-up of a thread that is not asleep in the kernel unparks it.
            LockSupport.parkNanos(Math.min(nanos, pauseNanos));
            pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
            wakeUps++;
            state.set(AWAKE);
        }
    }

    /** Called when progress has found work: the next pause is short again. */
    void foundWork() {
        pauseNanos = FIRST_PAUSE_NANOS;
    }

    /**
     * Disarms the queues whose events have fired, if the last time was long enough ago. Called in each round of
     * progress; before the first sleep it does nothing.
     *
     * @return whether completions may have become visible, so that the caller has to progress again
     */
    boolean disarm() {
        if (!armed || System.nanoTime() - clearedAt < clearNanos) {
            return false;
        }
        clear(Math.min(2 * clearNanos, LONGEST_CLEAR_NANOS));
        return true;
    }

    /**
     * Clears the notification. Called in the middle of progress, so a success must not discard the error reasons that
     * were recorded for failed tasks.
     */
    private void clear(long nanosToNext) {
        int result = DocaCommon.doca_pe_clear_notification(pe, 0);
        if (result != DocaError.SUCCESS.code()) {
            throw Calls.failure(result, "doca_pe_clear_notification", "waiting for completions");
        }
        clearedAt = System.nanoTime();
        clearNanos = nanosToNext;
    }

    /**
     * Waits on a virtual thread by polling and parking. Blocking in the kernel would pin its carrier, which the waking
     * thread may need.
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

    /** Returns whether the thread is asleep in the kernel, or about to be. Any thread may call. */
    boolean isAsleep() {
        return state.get() == ASLEEP;
    }

    /** Returns the number of sleeps that have ended. Any thread may call. */
    long wakeUps() {
        return wakeUps;
    }

    /** Closes the descriptors. A later wake-up does nothing. */
    void close() {
        Epoll open = events;
        if (open != null) {
            open.close();
        }
    }
}
