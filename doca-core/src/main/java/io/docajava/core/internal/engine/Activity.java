/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.engine;

import java.time.Duration;

/**
 * The statistics of a context's operations. The context's operations and queue update them. Only the engine reads the
 * clock; it passes the time to {@link #tick}.
 *
 * <p>Only the engine's thread changes the fields. They are plain, because opaque writes would cost some 5 ns per copy.
 * {@link EngineImpl} publishes them by a release write of its round number in each round, and readers first read that
 * number with acquire. A reader therefore sees at least everything that was counted before the last round.
 */
public final class Activity {

    private long queued;
    private long inFlight;
    private long completed;
    private long failed;
    private long bytes;
    private long rebinds;
    /** The number of connects that have not ended. */
    private long connects;

    /** The first tick of the current busy period; no operation in flight is older. */
    private long busySince;
    /** True if nothing was in flight at some time since the last tick. */
    private boolean wasIdle = true;

    /** The number of tasks that have ended. Only the engine's thread uses this field and those below. */
    private long ended;
    /** The number of tasks in flight that are not due: they wait for more than the device. */
    private long openEnded;
    /** The first tick of the current quiet period, in which due tasks are in flight and no task ends. */
    private long quietSince;
    /** The number of tasks that had ended at the last tick; -1 if no due task was in flight then. */
    private long endedAtTick = -1;
    /** True if the current quiet period was reported. */
    private boolean reported;

    /** Adds to the number of operations that wait for a free task. */
    public void addQueued(int more) {
        queued += more;
    }

    /**
     * Counts the tasks of a submitted operation.
     *
     * @param areDue whether they wait only for the device
     */
    public void markSubmitted(int tasks, boolean areDue) {
        inFlight += tasks;
        if (!areDue) {
            openEnded += tasks;
        }
    }

    /** Corrects the numbers of tasks in flight after a submission that was cut short. */
    public void recount(int tasks, int openEndedTasks) {
        inFlight = tasks;
        openEnded = openEndedTasks;
        // The last tick may have counted a task that was never submitted and will never end.
        wasIdle |= tasks == 0;
        endedAtTick = -1;
    }

    /** Counts the tasks of an operation that is no longer in flight. */
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

    /** Returns whether an operation in flight waits only for the device and progress. */
    boolean isAnyDue() {
        return inFlight > openEnded;
    }

    /** Adds to the number of connects that have not ended: the SDK reports their ends during progress. */
    public void addConnects(int more) {
        connects += more;
    }

    /** Returns whether an operation in flight or a connect waits only for the device or peer, and for progress. */
    boolean isAnyWaiting() {
        return isAnyDue() || connects > 0;
    }

    public int inFlight() {
        return (int) inFlight;
    }

    /** Counts operations that have succeeded. */
    public void succeeded(int operations, long movedBytes) {
        completed += operations;
        bytes += movedBytes;
    }

    /** Counts a task that gets a buffer over another map. */
    public void rebound() {
        rebinds++;
    }

    public void failed(int operations) {
        failed += operations;
    }

    /** Updates the start of the busy and quiet periods. Called when the engine has read the clock. */
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
     * Returns the time until the quiet period exceeds a limit; 0 or less if it already does. Returns {@link
     * Long#MAX_VALUE} if nothing is due or the period was reported.
     *
     * @param now the time of the last tick
     * @param limit the longest quiet period that is not reported, in nanoseconds
     */
    public long nanosToReport(long now, long limit) {
        return reported || !isAnyDue() ? Long.MAX_VALUE : limit - (now - quietSince);
    }

    public void setReported() {
        reported = true;
    }

    /** Returns the length of the current quiet period. */
    public Duration quiet(long now) {
        return Duration.ofNanos(now - quietSince);
    }

    /** Adds the totals of a context that is being closed. */
    void add(Activity closed) {
        completed += closed.completed;
        failed += closed.failed;
        bytes += closed.bytes;
    }

    /** Returns the number of operations that wait for a free task. Any thread may call this method and those below. */
    public long queued() {
        return queued;
    }

    /** Returns the number of operations that have succeeded. */
    public long completed() {
        return completed;
    }

    /** Returns the number of operations that have failed. */
    public long failed() {
        return failed;
    }

    /** Returns the number of bytes that completed operations have moved. */
    public long bytes() {
        return bytes;
    }

    /** Returns how often a task got a buffer over another map. */
    public long rebinds() {
        return rebinds;
    }

    /**
     * Returns the age of the oldest operation in flight.
     *
     * @param oldest when it was submitted, by the engine's clock; 0 if none is in flight
     */
    public Duration age(long oldest) {
        if (oldest == 0) {
            return Duration.ZERO;
        }
        long now = System.nanoTime();
        long age = Math.min(now - oldest, now - busySince);
        return Duration.ofNanos(Math.max(age, 0));
    }
}
