/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** A future that the thread of a loop completes. That thread is not allowed to wait for it. */
class LoopFuture<T> extends CompletableFuture<T> {

    /** Longer than a device takes for many small operations, and about the cost of a sleep and a wake-up. */
    static final long YIELD_NANOS = 50_000;

    /** The pause before the loop's thread tries again what has failed for lack of memory. */
    static final long MEMORY_PAUSE_NANOS = 1_000_000;

    private final Thread loopThread;

    LoopFuture(Thread loopThread) {
        this.loopThread = loopThread;
    }

    /** Fails a future even if memory is short: waits until there is enough for that. */
    static void fail(LoopNode future, Throwable reason) {
        while (!future.isDone()) {
            try {
                future.completeExceptionally(reason);
            } catch (OutOfMemoryError e) {
                LockSupport.parkNanos(MEMORY_PAUSE_NANOS);
            }
        }
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        BlockingGuard.check(this, loopThread);
        yieldUntilDone(this, loopThread);
        return super.get();
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        BlockingGuard.checkWithLimit(this, loopThread);
        if (unit.toNanos(timeout) > YIELD_NANOS) {
            yieldUntilDone(this, loopThread);
        }
        return super.get(timeout, unit);
    }

    @Override
    public T join() {
        BlockingGuard.check(this, loopThread);
        yieldUntilDone(this, loopThread);
        return super.join();
    }

    /**
     * Yields for a short time before the thread waits for a future of a loop: most work ends within that time, and the loop then need
     * not wake the thread. The loop's own thread does not yield.
     */
    @SuppressWarnings({"ReferenceEquality", "ThreadPriorityCheck"}) // lets other threads run, including the loop's
    static void yieldUntilDone(CompletableFuture<?> future, Thread loopThread) {
        Thread thread = Thread.currentThread();
        // A virtual thread would occupy its carrier thread, and waking it is cheap.
        if (future.isDone() || thread.isVirtual() || thread == loopThread) {
            return;
        }
        long start = System.nanoTime();
        while (!future.isDone() && !thread.isInterrupted() && System.nanoTime() - start < YIELD_NANOS) {
            Thread.yield();
        }
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new LoopFuture<>(loopThread);
    }
}
