/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.copy;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import org.jspecify.annotations.Nullable;

/** Lets threads work in rounds. Another thread starts each round and waits for its end. */
final class Rounds {

    private final CyclicBarrier barrier;
    private volatile boolean ended;
    private volatile @Nullable Throwable failure;

    /** Creates rounds for a number of working threads. */
    Rounds(int threads) {
        barrier = new CyclicBarrier(threads + 1);
    }

    /** Runs one round of all threads. */
    void next() {
        await();
        await();
    }

    /** Ends all threads. */
    void end() {
        ended = true;
        await();
    }

    /** Runs the work once each round, until {@link #end()}. */
    void run(Runnable work) {
        try {
            await();
            while (!ended) {
                work.run();
                await();
                await();
            }
        } catch (Throwable thrown) {
            failure = thrown;
            // The other threads stop waiting.
            barrier.reset();
        }
    }

    private void await() {
        try {
            barrier.await();
        } catch (BrokenBarrierException e) {
            throw new IllegalStateException("A thread that works in rounds has failed", failure == null ? e : failure);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted in a round", e);
        }
    }
}
