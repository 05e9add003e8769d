/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.engine;

import io.docajava.core.internal.lifecycle.OwningThread;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits of doca-java itself for the thread of a loop. */
public final class LoopWait {

    private LoopWait() {}

    /**
     * Refuses to let the thread of any loop wait without a time limit. A loop would wait for itself, and two loops could wait for
     * each other.
     *
     * @param attempt begins the message: {@code "A context on 0000:03:00.0 cannot be started"}
     * @throws IllegalStateException if the thread of a loop calls
     */
    public static void refuseLoopThread(String attempt) {
        if (Thread.currentThread() instanceof OwningThread) {
            throw new IllegalStateException(attempt + " by the thread of ProgressLoop \""
                    + Thread.currentThread().getName() + "\", as loops could wait for each other forever");
        }
    }

    /** Waits until a future is done. An interrupt does not end the wait, and is restored. Returns false after the timeout. */
    public static boolean await(Future<?> future, long timeoutNanos) {
        return await(timeoutNanos, nanos -> {
            try {
                future.get(nanos, TimeUnit.NANOSECONDS);
                return true;
            } catch (TimeoutException e) {
                return future.isDone();
            } catch (ExecutionException | CancellationException e) {
                return true;
            }
        });
    }

    /** Waits until a thread has ended; otherwise as {@link #await(Future, long)}. */
    public static boolean awaitEnd(Thread thread, long timeoutNanos) {
        return await(timeoutNanos, nanos -> thread.join(Duration.ofNanos(nanos)));
    }

    private static boolean await(long timeoutNanos, TimedWait wait) {
        long start = System.nanoTime();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return wait.await(timeoutNanos - (System.nanoTime() - start));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits for a future, and throws its failure itself instead of the {@link CompletionException} of {@code join}. */
    public static <T> T join(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (failed.getCause() instanceof Error cause) {
                throw cause;
            }
            throw failed;
        }
    }

    /** A wait with a limit. */
    @FunctionalInterface
    private interface TimedWait {

        /** Returns false after the timeout. */
        boolean await(long timeoutNanos) throws InterruptedException;
    }
}
