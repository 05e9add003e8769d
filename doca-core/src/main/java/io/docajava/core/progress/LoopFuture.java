/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A future that the thread of a loop completes. That thread is not allowed to wait for it. */
class LoopFuture<T> extends CompletableFuture<T> {

    /** Longer than a device takes for many small operations, and about the cost of a sleep and a wake-up. */
    private static final long YIELD_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    /** The pause before the loop's thread tries again what has failed for lack of memory. */
    static final long MEMORY_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Thread loopThread;

    LoopFuture(Thread loopThread) {
        this.loopThread = loopThread;
    }

    /**
     * Completes this future with the outcome of a stage. Unwraps the failure from the {@link CompletionException} of a dependent
     * stage. Exceptions of subclasses are those of users, whose methods may throw.
     */
    final void end(@Nullable T result, @Nullable Throwable failure) {
        if (failure == null) {
            complete(result);
        } else {
            Throwable cause = failure.getClass() == CompletionException.class ? failure.getCause() : null;
            completeExceptionally(cause == null ? failure : cause);
        }
    }

    /** Fails this future even if memory is short: waits until there is enough for that. */
    final void fail(Throwable reason) {
        while (!isDone()) {
            try {
                completeExceptionally(reason);
            } catch (OutOfMemoryError e) {
                LockSupport.parkNanos(MEMORY_PAUSE_NANOS);
            }
        }
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        BlockingGuard.check(this, loopThread);
        yieldForAWhile();
        return super.get();
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        BlockingGuard.checkWithLimit(this, loopThread);
        if (unit.toNanos(timeout) > YIELD_NANOS) {
            yieldForAWhile();
        }
        return super.get(timeout, unit);
    }

    @Override
    public T join() {
        BlockingGuard.check(this, loopThread);
        yieldForAWhile();
        return super.join();
    }

    /**
     * Yields for a short time before the thread sleeps: most work ends within that time, and the loop then need not wake the
     * thread.
     */
    @SuppressWarnings("ThreadPriorityCheck") // lets other threads run, including the loop's
    private void yieldForAWhile() {
        Thread thread = Thread.currentThread();
        // A virtual thread would occupy its carrier thread, and waking it is cheap.
        if (isDone() || thread.isVirtual()) {
            return;
        }
        long start = System.nanoTime();
        while (!isDone() && !thread.isInterrupted() && System.nanoTime() - start < YIELD_NANOS) {
            Thread.yield();
        }
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new LoopFuture<>(loopThread);
    }
}
