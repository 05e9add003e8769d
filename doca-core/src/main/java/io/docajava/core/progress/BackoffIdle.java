/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Spins, then yields, and then parks for increasing times. */
final class BackoffIdle implements IdleStrategy {

    private static final int SPINS = 100;
    private static final int YIELDS = 100;
    private static final long SHORTEST_NANOS = 1_000;
    private static final long LIMIT_NANOS = 1_000_000_000;

    private final long longestNanos;
    private int rounds;
    private long parkNanos = SHORTEST_NANOS;

    BackoffIdle(Duration longest) {
        if (longest.compareTo(Duration.ofNanos(SHORTEST_NANOS)) < 0
                || longest.compareTo(Duration.ofNanos(LIMIT_NANOS)) > 0) {
            throw new IllegalArgumentException("The longest sleep must be from 1 µs to 1 s: " + longest);
        }
        this.longestNanos = longest.toNanos();
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // yielding is one of the steps
    public void idle(int workCount) {
        if (workCount > 0) {
            rounds = 0;
            parkNanos = SHORTEST_NANOS;
        } else if (rounds < SPINS) {
            rounds++;
            Thread.onSpinWait();
        } else if (rounds < SPINS + YIELDS) {
            rounds++;
            Thread.yield();
        } else {
            LockSupport.parkNanos(this, parkNanos);
            parkNanos = Math.min(parkNanos * 2, longestNanos);
        }
    }

    @Override
    public IdleStrategy forEngine(ProgressEngine engine) {
        return new BackoffIdle(Duration.ofNanos(longestNanos));
    }
}
