/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.engine;

import java.util.concurrent.TimeUnit;

/**
 * The clock of an engine. With each reading it updates the statistics of all contexts, and warns of each that
 * has operations in flight and no completion for too long. Only the engine's thread may call.
 */
final class EngineClock {

    /** The number of rounds between two readings. A reading may take as long as a whole copy. */
    private static final int ROUNDS = 64;

    /** If {@link #ROUNDS} rounds take longer than this, the clock is read in each round. */
    private static final long LONG_ROUNDS_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final EngineMembers members;
    private final Delivery delivery;
    /** The last reading; never 0. */
    private long time = now();

    private long warnings;
    /** The number of rounds until the next reading. */
    private int roundsToReading;
    /** The time without a completion after which a context with operations in flight is reported. */
    private long warnNanos = Deadlines.nanos(EngineImpl.WARN_AFTER);

    EngineClock(EngineMembers members, Delivery delivery) {
        this.members = members;
        this.delivery = delivery;
    }

    private static long now() {
        return System.nanoTime() | 1;
    }

    /** Returns the last reading, in terms of {@link System#nanoTime()}; never 0. */
    long time() {
        return time;
    }

    /** Returns the number of warnings that were logged. */
    long warnings() {
        return warnings;
    }

    /** Sets the time without a completion after which a warning is due; {@link Long#MAX_VALUE} for no warning. */
    void warnAfter(long nanos) {
        warnNanos = nanos;
    }

    /** Reads the clock at the beginning of a round, unless the last reading is recent. */
    void startRound() {
        if (roundsToReading == 0) {
            read();
        } else {
            roundsToReading--;
        }
    }

    /** Reads the clock, updates statistics and logs warnings. Returns the time. */
    long read() {
        long now = now();
        roundsToReading = now - time < LONG_ROUNDS_NANOS ? ROUNDS - 1 : 0;
        time = now;
        for (EngineContext context : members.contexts()) {
            String warning = context.tick(now, warnNanos);
            if (warning != null) {
                delivery.warn(warning);
                warnings++;
            }
        }
        return now;
    }

    /** Reads only the time. Returns it. */
    long readTime() {
        time = now();
        return time;
    }

    /** Returns the time until a warning may be due. */
    long nanosToWarning() {
        long nanos = Long.MAX_VALUE;
        for (EngineContext context : members.contexts()) {
            nanos = Math.min(nanos, context.activity().nanosToReport(time, warnNanos));
        }
        return Math.max(nanos, 0);
    }
}
