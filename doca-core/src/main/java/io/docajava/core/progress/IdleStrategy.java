/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import io.docajava.core.internal.engine.Deadlines;
import java.time.Duration;
import java.util.Objects;

/**
 * Determines how a thread waits after a round of progress that found no work, which is a trade-off between latency, processor
 * time and power. The contract is the same as Agrona's, so {@code agronaStrategy::idle} is an {@code IdleStrategy}.
 *
 * <p>Engines may share the strategies of this interface: each engine has its own copy of their state.
 */
@FunctionalInterface
public interface IdleStrategy {

    /**
     * Idles if a round of progress found no work. The engine's thread calls this after each round.
     *
     * @param workCount the number of events of the round; if more than 0, the strategy returns at once and resets its state
     */
    void idle(int workCount);

    /**
     * Returns the strategy for one use by an engine. The engine's thread calls this once for the methods of the engine that wait,
     * and once for the loop that drives the engine.
     *
     * @param engine that will use the strategy
     * @return this strategy by default; a strategy with state returns a new instance
     */
    default IdleStrategy forEngine(ProgressEngine engine) {
        return this;
    }

    /** {@return a strategy that spins without releasing the processor: the lowest latency, but one core per engine} */
    static IdleStrategy busySpin() {
        return workCount -> {
            if (workCount <= 0) {
                Thread.onSpinWait();
            }
        };
    }

    /** {@return a strategy that lets other threads run: nearly the same latency on a machine with cores to spare} */
    @SuppressWarnings("ThreadPriorityCheck") // yielding is what was asked for
    static IdleStrategy yielding() {
        return workCount -> {
            if (workCount <= 0) {
                Thread.yield();
            }
        };
    }

    /** {@return a strategy that spins, then yields, then sleeps for times that double from 1 µs to 1 ms} */
    static IdleStrategy backoff() {
        return backoff(Duration.ofMillis(1));
    }

    /**
     * {@return a strategy that spins, then yields, then sleeps for times that double from 1 µs on}
     *
     * @param longest the longest sleep, from 1 µs to 1 s; a completion may wait for that time
     * @throws IllegalArgumentException if {@code longest} is out of that range
     */
    static IdleStrategy backoff(Duration longest) {
        Objects.requireNonNull(longest, "longest");
        return new BackoffIdle(longest);
    }

    /**
     * {@return a strategy that spins for 2000 rounds, well below a millisecond, and then sleeps as {@link #eventDriven(int)}
     * does}
     */
    static IdleStrategy eventDriven() {
        return eventDriven(2000);
    }

    /**
     * Returns a strategy that spins for a number of rounds, and then sleeps until the device or {@link ProgressEngine#wakeUp()}
     * signals. A sleeping thread needs no processor time. Work that arrives during the sleep waits until the system has woken the
     * thread, which takes about 10 µs on a machine that is not busy, and the thread that wakes it makes a system call. With 0
     * rounds the thread sleeps at once, which needs the least processor time for occasional work.
     *
     * <p>From the first use of an address by an RDMA context of the engine until that context stops, the thread pauses instead, for
     * 10 µs to 1 ms, because DOCA 3.0 loses events of connections by address when it is asked to signal.
     *
     * <p>A virtual thread would occupy its carrier thread while it sleeps in the kernel, so it polls every millisecond instead.
     * Use a platform thread for an engine, such as the thread of a {@link ProgressLoop}.
     *
     * @param spins the number of rounds without work before the thread sleeps, 0 or more
     * @return the strategy, which works only in an engine: its {@link #idle} throws an {@link IllegalStateException}
     * @throws IllegalArgumentException if {@code spins} is negative
     */
    static IdleStrategy eventDriven(int spins) {
        if (spins < 0) {
            throw new IllegalArgumentException("The number of spins must not be negative: " + spins);
        }
        return new EventDrivenIdle(spins, 0);
    }

    /**
     * Returns a strategy that spins for a time, and then sleeps as {@link #eventDriven(int)} does. Use it if the longest pause
     * between two completions under load is known: if {@code spin} is slightly longer, the thread sleeps only when there is no
     * work. The duration of a number of rounds, in contrast, depends on the engine's contexts and on the machine.
     *
     * @param spin the time without work before the thread sleeps, 0 or more; more than a few milliseconds is rarely useful
     * @return the strategy, which works only in an engine: its {@link #idle} throws an {@link IllegalStateException}
     * @throws IllegalArgumentException if {@code spin} is negative
     */
    static IdleStrategy eventDriven(Duration spin) {
        Objects.requireNonNull(spin, "spin");
        if (spin.isNegative()) {
            throw new IllegalArgumentException("The time to spin must not be negative: " + spin);
        }
        return new EventDrivenIdle(0, Deadlines.nanos(spin));
    }
}
