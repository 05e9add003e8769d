/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import java.time.Duration;

/**
 * What a thread does between two rounds of progress that found nothing: the choice between latency, processor time and
 * power. The contract is the one known from Agrona, so that {@code agronaStrategy::idle} is an {@code IdleStrategy}.
 *
 * <p>The strategies given here may be shared; each engine uses its own copy of what they keep.
 */
@FunctionalInterface
public interface IdleStrategy {

    /**
     * Called after each round, by the engine's thread.
     *
     * @param workCount what the round did; with more than 0 the strategy returns at once and begins anew
     */
    void idle(int workCount);

    /**
     * Gives the strategy as it is to be used by one engine. Called by its thread, for each use: an engine that waits
     * and the loop that drives it are two. A strategy that keeps state returns a new instance; the default is this very
     * strategy.
     */
    default IdleStrategy forEngine(ProgressEngine engine) {
        return this;
    }

    /** Never leaves the processor: the lowest latency, one core per engine. */
    static IdleStrategy busySpin() {
        return workCount -> {
            if (workCount <= 0) {
                Thread.onSpinWait();
            }
        };
    }

    /** Lets other threads run: nearly the same latency on a machine with cores to spare. */
    @SuppressWarnings("ThreadPriorityCheck") // yielding is what was asked for
    static IdleStrategy yielding() {
        return workCount -> {
            if (workCount <= 0) {
                Thread.yield();
            }
        };
    }

    /** Spins, then yields, then sleeps for times that double from 1 µs to 1 ms. */
    static IdleStrategy backoff() {
        return backoff(Duration.ofMillis(1));
    }

    /**
     * Spins, then yields, then sleeps for times that double from 1 µs on.
     *
     * @param longest the longest sleep, from 1 µs to 1 s; what comes in meanwhile waits for so long
     * @throws IllegalArgumentException if it is shorter or longer
     */
    static IdleStrategy backoff(Duration longest) {
        return new BackoffIdle(longest);
    }

    /** Spins for some thousand rounds and then sleeps until the device or a wake-up signals. */
    static IdleStrategy eventDriven() {
        return eventDriven(2000);
    }

    /**
     * Spins, and then sleeps until the device or {@link ProgressEngine#wakeUp()} signals.
     *
     * @param spins rounds without work before it sleeps, 0 or more
     * @throws IllegalArgumentException if it is negative
     */
    static IdleStrategy eventDriven(int spins) {
        return new EventDrivenIdle(spins);
    }
}
