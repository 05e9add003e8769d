/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A future that the thread of a loop completes, and that this thread must not wait for. */
class LoopFuture<T> extends CompletableFuture<T> {

    private final Thread loopThread;

    LoopFuture(Thread loopThread) {
        this.loopThread = loopThread;
    }

    /** Takes over how a stage ended, a failure without the wrapping that a chain of stages gives it. */
    final void end(@Nullable T result, @Nullable Throwable failure) {
        if (failure == null) {
            complete(result);
        } else if (failure instanceof CompletionException wrapped && wrapped.getCause() != null) {
            completeExceptionally(wrapped.getCause());
        } else {
            completeExceptionally(failure);
        }
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        BlockingGuard.check(this, loopThread);
        return super.get();
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        BlockingGuard.check(this, loopThread);
        return super.get(timeout, unit);
    }

    @Override
    public T join() {
        BlockingGuard.check(this, loopThread);
        return super.join();
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new LoopFuture<>(loopThread);
    }
}
