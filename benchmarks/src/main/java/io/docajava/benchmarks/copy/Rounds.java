/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.copy;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import org.jspecify.annotations.Nullable;

/** Lets some threads work in rounds, which another thread begins and waits for. */
final class Rounds {

    private final CyclicBarrier barrier;
    private volatile boolean ended;
    private volatile @Nullable Throwable failure;

    /** For that many threads that work. */
    Rounds(int threads) {
        barrier = new CyclicBarrier(threads + 1);
    }

    /** One round of all threads. */
    void next() {
        await();
        await();
    }

    /** Ends all threads. */
    void end() {
        ended = true;
        await();
    }

    /** Works, once a round, until the end. */
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
            // The others wait no longer.
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
