/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import io.docajava.core.internal.engine.Deadlines;
import java.time.Duration;
import java.util.Objects;

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
        Objects.requireNonNull(longest, "longest");
        return new BackoffIdle(longest);
    }

    /**
     * Spins for 2000 rounds and then sleeps until the device or a wake-up signals: as {@link #eventDriven(int)}, with a
     * number of rounds that takes well below a millisecond.
     */
    static IdleStrategy eventDriven() {
        return eventDriven(2000);
    }

    /**
     * Spins for a number of rounds, and then sleeps until the device or {@link ProgressEngine#wakeUp()} signals, for as
     * long as that takes: an idle thread needs no processor time at all. What comes while it spins finds it ready; what
     * comes later waits until the system has woken the thread, which takes some 10 µs on a machine that is not busy, and
     * costs whoever wakes it a system call. With 0 rounds it sleeps at once: the least processor time, for work that
     * comes now and then.
     *
     * <p>A virtual thread does not sleep in the kernel, where it would keep its carrier from the others: it looks every
     * millisecond. An engine is better off on a platform thread, as that of a {@link ProgressLoop}.
     *
     * @param spins rounds without work before it sleeps, 0 or more
     * @throws IllegalArgumentException if it is negative
     */
    static IdleStrategy eventDriven(int spins) {
        if (spins < 0) {
            throw new IllegalArgumentException("The number of spins must not be negative: " + spins);
        }
        return new EventDrivenIdle(spins, 0);
    }

    /**
     * Spins for a time, and then sleeps as {@link #eventDriven(int)} does. For when the pauses between pieces of work, or
     * the time that the device takes for one, are known: with a little more than that, the thread does not sleep in the
     * midst of work, and still does when there is none. A time does not depend on what a round takes, as a number of
     * rounds does, which changes with the contexts of the engine and the machine.
     *
     * @param spin time without work before it sleeps, 0 or more; longer than some milliseconds is hardly of use
     * @throws IllegalArgumentException if it is negative
     */
    static IdleStrategy eventDriven(Duration spin) {
        Objects.requireNonNull(spin, "spin");
        if (spin.isNegative()) {
            throw new IllegalArgumentException("The time to spin must not be negative: " + spin);
        }
        return new EventDrivenIdle(0, Deadlines.nanos(spin));
    }
}
