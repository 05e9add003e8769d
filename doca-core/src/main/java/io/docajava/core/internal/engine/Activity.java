/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.engine;

import io.docajava.core.context.ContextStats;
import java.time.Duration;

/**
 * Counts the operations of a context. Nothing here reads a clock: the engine does from time to time, and calls {@link #tick}.
 *
 * <p>The engine's thread changes the numbers, which are plain fields: even an opaque write for each of them would cost a copy some 5
 * ns. {@link EngineCore} writes the number of its round with release in each round, and who reads the numbers reads that with acquire
 * before. So a reader sees all that was counted before the last round, if not more.
 */
public final class Activity {

    private long queued;
    private long inFlight;
    private long completed;
    private long failed;
    private long bytes;

    /** The time of the first tick since which operations have always been in flight; no operation in flight is older. */
    private long busySince;
    /** True if there was nothing in flight at some moment since the last tick. */
    private boolean wasIdle = true;

    /** The number of tasks that have ended. This and the fields below are used by the engine's thread alone. */
    private long ended;
    /** The number of tasks in flight that wait for more than the device. */
    private long openEnded;
    /** The time of the first tick since which due tasks have always been in flight, and no task has ended. */
    private long quietSince;
    /** The number of tasks that had ended at the last tick; -1 if no due task was in flight then. */
    private long endedAtTick = -1;
    /** True if the context is quiet, and that was reported. */
    private boolean reported;

    /** Adds to the number of operations that wait for a free task. */
    public void addQueued(int more) {
        queued += more;
    }

    /**
     * The tasks of an operation are in flight.
     *
     * @param areDue whether they wait for nothing but the device
     */
    public void markSubmitted(int tasks, boolean areDue) {
        inFlight += tasks;
        if (!areDue) {
            openEnded += tasks;
        }
    }

    /** The tasks of an operation are no longer in flight. */
    public void markCompleted(int tasks, boolean wereDue) {
        inFlight -= tasks;
        ended += tasks;
        if (!wereDue) {
            openEnded -= tasks;
        }
        if (inFlight == 0) {
            wasIdle = true;
        }
    }

    private boolean isAnyDue() {
        return inFlight > openEnded;
    }

    public int inFlight() {
        return (int) inFlight;
    }

    /** Counts operations that have succeeded. */
    public void succeeded(int operations, long movedBytes) {
        completed += operations;
        bytes += movedBytes;
    }

    /** Counts operations that have failed. */
    public void failed(int operations) {
        failed += operations;
    }

    /** The engine has read the clock. */
    public void tick(long now) {
        if (wasIdle) {
            busySince = now;
            wasIdle = inFlight == 0;
        }
        if (endedAtTick != ended) {
            quietSince = now;
            endedAtTick = isAnyDue() ? ended : -1;
            reported = false;
        }
    }

    /**
     * Returns how much time is left until the context has been quiet for too long; negative if none is, and {@link Long#MAX_VALUE} if
     * nothing is due, or the quiet was reported.
     *
     * @param now the time of the last tick
     * @param limit how long it may be quiet
     */
    public long nanosToReport(long now, long limit) {
        return reported || !isAnyDue() ? Long.MAX_VALUE : limit - (now - quietSince);
    }

    /** The quiet is reported. */
    public void setReported() {
        reported = true;
    }

    /** Returns for how long no task has ended. */
    public Duration quiet(long now) {
        return Duration.ofNanos(now - quietSince);
    }

    /** Adds the numbers of a context that is being closed. */
    void add(Activity closed) {
        completed += closed.completed;
        failed += closed.failed;
        bytes += closed.bytes;
    }

    /**
     * Returns the numbers. Any thread may call.
     *
     * @param oldest when the oldest operation in flight was submitted, by the engine's clock; 0 if none is in flight
     */
    public ContextStats stats(long oldest) {
        return new ContextStats(queued, inFlight, completed, failed, bytes, age(oldest));
    }

    private Duration age(long oldest) {
        if (oldest == 0) {
            return Duration.ZERO;
        }
        long now = System.nanoTime();
        long age = Math.min(now - oldest, now - busySince);
        return Duration.ofNanos(Math.max(age, 0));
    }
}
