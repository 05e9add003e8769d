/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import io.docajava.DocaException;
import io.docajava.core.internal.engine.Deadlines;
import io.docajava.core.internal.engine.EngineImpl;
import io.docajava.core.internal.engine.OperationCompletion;
import io.docajava.core.internal.lifecycle.OwnerThread;
import io.docajava.ffi.internal.StackGuard;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/**
 * The future of a submitted task. Contexts return it, and it completes while its engine progresses. Dependent stages
 * run on the engine's thread, as callbacks do, unless they have an executor. They are completions of the same engine.
 * If another thread completes this or adds a stage to it, the stage runs with the next progress; after the engine was closed, or
 * its thread has ended, it runs on that other thread.
 *
 * <p>{@link #await()} waits for it: on the engine's thread, which progresses meanwhile, and on any thread if the engine belongs to a
 * {@link ProgressLoop}. {@link #get()} and {@link #join()} cannot wait on the engine's thread, since only it completes tasks. They
 * throw an {@link IllegalStateException} there unless this is done. Other threads may use them, but the thread of a {@link
 * ProgressLoop} only with a time limit. Futures made by {@link #allOf} and {@link #anyOf} have no engine. Do not call their {@code
 * get} and {@code join} on the engine's thread, which would wait forever; use {@link ProgressEngine#awaitAll} for the completions,
 * or {@link ProgressEngine#await(CompletionStage)} for the future.
 *
 * <p>A submitted task cannot be cancelled on the device. {@link #cancel}, {@link #orTimeout} and {@link #complete}
 * therefore complete only this future. A task in flight stays in flight; its maps and buffers stay in use and cannot be
 * closed until the device has finished. An operation that still waits for a free task of its context is never submitted; its
 * maps and buffers are released when all operations that wait before it have been submitted.
 *
 * @param <T> the type of the result
 */
public sealed class Completion<T> extends CompletableFuture<T> permits OperationCompletion, QueuedCompletion {

    private static final VarHandle LISTENER;

    static {
        try {
            LISTENER = MethodHandles.lookup().findVarHandle(Completion.class, "listener", Runnable.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final EngineImpl engine;
    /** True for a dependent stage; false for the future of a task. */
    private final boolean isStage;
    /** True if the completion of this stage wakes the engine. */
    private boolean wakes;
    /** Called when a task ends; cheaper than a dependent stage. Set and removed by compare-and-set. */
    private volatile @Nullable Runnable listener;

    /**
     * Creates the future of an operation.
     *
     * @param engine that completes it
     */
    protected Completion(ProgressEngine engine) {
        this(EngineImpl.of(engine), false);
    }

    private Completion(EngineImpl engine, boolean isStage) {
        this.engine = engine;
        this.isStage = isStage;
    }

    final ProgressEngine engine() {
        return engine;
    }

    /**
     * Waits until this is done and returns the result. The engine's thread progresses meanwhile. If the engine belongs to a {@link
     * ProgressLoop}, any other thread may wait, except that of another loop. If this is done, any thread gets the result at once.
     *
     * @return the result
     * @throws DocaException if the task failed
     * @throws CancellationException if this was cancelled
     * @throws CompletionException if a stage before this one ended with a checked exception, which is the cause
     * @throws InterruptedException if the thread is interrupted; the task stays in flight
     * @throws IllegalStateException if this is not done and a callback calls, or the thread of a {@link ProgressLoop}, or another thread
     *     than that of an engine without a loop; or if this is not done and the engine is closed
     */
    public T await() throws InterruptedException {
        LoopThread loop = awaitedLoop();
        if (loop != null) {
            awaitLoop();
        } else if (!isDone()) {
            wakeWhenDone();
            engine.await(this::isDone);
        }
        return result();
    }

    /**
     * Waits until this is done or a timeout has passed; otherwise as {@link #await()}. After a {@link TimeoutException} the task is
     * still in flight, its memory remains in use, and it can be awaited again.
     *
     * @param timeout the longest time to wait; with 0 or less, the engine's thread makes one round of progress and other threads do not
     *     wait
     * @return the result
     * @throws TimeoutException if it is not done within the timeout
     * @throws DocaException if the task failed
     * @throws CancellationException if this was cancelled
     * @throws CompletionException if a stage before this one ended with a checked exception, which is the cause
     * @throws InterruptedException if the thread is interrupted; the task stays in flight
     * @throws IllegalStateException as {@link #await()}, except that the thread of another loop may wait
     */
    public T await(Duration timeout) throws InterruptedException, TimeoutException {
        Objects.requireNonNull(timeout, "timeout");
        LoopThread loop = awaitedLoop();
        if (loop != null) {
            awaitLoop(timeout);
        } else if (!isDone()) {
            wakeWhenDone();
            if (!engine.await(this::isDone, timeout)) {
                throw late(timeout);
            }
        }
        return result();
    }

    /** Returns the loop that will complete this; null if this is done, or the engine belongs to no loop that is running. */
    private @Nullable LoopThread awaitedLoop() {
        return !isDone() && engine.thread() instanceof LoopThread loop && loop.isAlive() ? loop : null;
    }

    private void awaitLoop() throws InterruptedException {
        try {
            get();
        } catch (ExecutionException | CancellationException failed) {
            // The caller throws the failure itself.
        }
    }

    private void awaitLoop(Duration timeout) throws InterruptedException, TimeoutException {
        try {
            get(Deadlines.nanos(timeout), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | CancellationException failed) {
            // The caller throws the failure itself.
        } catch (TimeoutException late) {
            throw late(timeout);
        }
    }

    private static TimeoutException late(Duration timeout) {
        return new TimeoutException(
                "Not completed within " + Deadlines.text(timeout) + "; the task is still in flight");
    }

    /**
     * Waits until this is done and returns the result. On the engine's thread use {@link #await()}.
     *
     * @throws IllegalStateException if called by the engine's thread, or the thread of a {@link ProgressLoop}, before this is done
     */
    @Override
    public T get() throws InterruptedException, ExecutionException {
        BlockingGuard.check(this, engine.thread());
        return super.get();
    }

    /**
     * Waits for a limited time until this is done and returns the result. On the engine's thread use {@link
     * #await(Duration)}.
     *
     * @throws IllegalStateException if called by the engine's thread before this is done
     */
    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        Objects.requireNonNull(unit, "unit");
        BlockingGuard.checkWithLimit(this, engine.thread());
        return super.get(timeout, unit);
    }

    /**
     * Waits until this is done and returns the result. On the engine's thread use {@link #await()}.
     *
     * @throws IllegalStateException if called by the engine's thread, or the thread of a {@link ProgressLoop}, before this is done
     */
    @Override
    public T join() {
        BlockingGuard.check(this, engine.thread());
        return super.join();
    }

    @Override
    public boolean complete(T value) {
        boolean isForeign = checkForeign();
        try {
            return super.complete(value);
        } finally {
            completed(isForeign);
        }
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        Objects.requireNonNull(failure, "failure");
        boolean isForeign = checkForeign();
        try {
            return super.completeExceptionally(failure);
        } catch (OutOfMemoryError e) {
            if (isForeign) {
                throw e;
            }
            engine.delivery().releaseReserve();
            return super.completeExceptionally(failure);
        } finally {
            completed(isForeign);
        }
    }

    /**
     * Completes this by {@link #complete} with the result of a supplier that the executor calls. Any thread may call.
     */
    @Override
    public Completion<T> completeAsync(Supplier<? extends T> supplier, Executor executor) {
        Objects.requireNonNull(supplier, "supplier");
        Objects.requireNonNull(executor, "executor");
        executor.execute(() -> {
            try {
                if (!isDone()) {
                    complete(supplier.get());
                }
            } catch (Throwable failure) {
                completeExceptionally(failure);
            }
        });
        return this;
    }

    /**
     * Returns whether a thread other than the engine's calls, and checks that it has enough stack to complete this and
     * to run its dependents. A dependent stage lost by a stack overflow would never complete. On the engine's thread,
     * progress has already checked.
     */
    private boolean checkForeign() {
        if (Thread.currentThread().equals(engine.thread())) {
            return false;
        }
        StackGuard.check();
        return true;
    }

    /** Called after an attempt to complete this, also after one that has failed for lack of memory. */
    private void completed(boolean byForeign) {
        if (listener != null && isDone()) {
            notifyListener();
        }
        if (byForeign) {
            // The engine's thread may be asleep while it awaits this.
            engine.wakeUp();
        }
    }

    /**
     * Sets the listener, which is called once by the thread that completes this task. If this is completed in another
     * way than by {@link #complete}, {@link #completeExceptionally} or {@link #cancel}, the listener is called when the
     * task ends. Any thread may call.
     *
     * @return false if the listener was not set: this is a dependent stage, which can end in more ways, or has a
     *     listener already
     */
    boolean listen(Runnable newListener) {
        if (isStage || !LISTENER.compareAndSet(this, null, newListener)) {
            return false;
        }
        // Another thread may have completed this before the listener was set.
        if (isDone()) {
            notifyListener();
        }
        return true;
    }

    /** Allocates nothing, so that a full heap does not lose the call. */
    private void notifyListener() {
        Runnable callback = listener;
        if (callback != null && LISTENER.compareAndSet(this, callback, null)) {
            callback.run();
        }
    }

    /**
     * Completes this with a {@link CancellationException}, unless it is done. An operation that waits for a free task
     * is then never submitted. A task in flight is not cancelled on the device, and its maps and buffers stay in use until it
     * has ended. Any thread may call.
     *
     * @param mayInterruptIfRunning has no effect
     * @return whether this is now cancelled
     */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        StackGuard.check();
        try {
            return super.cancel(mayInterruptIfRunning);
        } finally {
            completed(true);
        }
    }

    /** Adds a stage that runs on the engine's thread. */
    @Override
    @NullUnmarked
    public <U> Completion<U> thenApply(Function<? super T, ? extends U> fn) {
        Objects.requireNonNull(fn, "fn");
        return (Completion<U>) super.<U>thenApplyAsync(fn, engine.stages());
    }

    /** Adds a stage that runs on the engine's thread. */
    @Override
    @NullUnmarked
    public Completion<Void> thenAccept(Consumer<? super T> action) {
        Objects.requireNonNull(action, "action");
        return (Completion<Void>) super.thenAcceptAsync(action, engine.stages());
    }

    /** Adds a stage that runs on the engine's thread. */
    @Override
    @NullUnmarked
    public Completion<Void> thenRun(Runnable action) {
        Objects.requireNonNull(action, "action");
        return (Completion<Void>) super.thenRunAsync(action, engine.stages());
    }

    /** Adds a stage that runs on the engine's thread. */
    @Override
    @NullUnmarked
    public <U, V> Completion<V> thenCombine(
            CompletionStage<? extends U> other, BiFunction<? super T, ? super U, ? extends V> fn) {
        Objects.requireNonNull(other, "other");
        Objects.requireNonNull(fn, "fn");
        return (Completion<V>) super.<U, V>thenCombineAsync(other, fn, engine.stages());
    }

    /** Adds a stage that runs on the engine's thread. */
    @Override
    @NullUnmarked
    public <U> Completion<Void> thenAcceptBoth(
            CompletionStage<? extends U> other, BiConsumer<? super T, ? super U> action) {
        Objects.requireNonNull(other, "other");
        Objects.requireNonNull(action, "action");
        return (Completion<Void>) super.thenAcceptBothAsync(other, action, engine.stages());
    }

    /** Adds a stage that runs on the engine's thread. */
    @Override
    @NullUnmarked
    public Completion<Void> runAfterBoth(CompletionStage<?> other, Runnable action) {
        Objects.requireNonNull(other, "other");
        Objects.requireNonNull(action, "action");
        return (Completion<Void>) super.runAfterBothAsync(other, action, engine.stages());
    }

    /** Adds a stage that runs on the engine's thread. */
    @Override
    @NullUnmarked
    public <U> Completion<U> applyToEither(CompletionStage<? extends T> other, Function<? super T, U> fn) {
        Objects.requireNonNull(other, "other");
        Objects.requireNonNull(fn, "fn");
        return ours(super.applyToEitherAsync(other, fn, engine.stages()));
    }

    /** Adds a stage that runs on the engine's thread. */
    @Override
    @NullUnmarked
    public Completion<Void> acceptEither(CompletionStage<? extends T> other, Consumer<? super T> action) {
        Objects.requireNonNull(other, "other");
        Objects.requireNonNull(action, "action");
        return ours(super.acceptEitherAsync(other, action, engine.stages()));
    }

    /** Adds a stage that runs on the engine's thread. */
    @Override
    @NullUnmarked
    public Completion<Void> runAfterEither(CompletionStage<?> other, Runnable action) {
        Objects.requireNonNull(other, "other");
        Objects.requireNonNull(action, "action");
        return ours(super.runAfterEitherAsync(other, action, engine.stages()));
    }

    /** Adds a stage that runs on the engine's thread. */
    @Override
    @NullUnmarked
    public <U> Completion<U> thenCompose(Function<? super T, ? extends CompletionStage<U>> fn) {
        Objects.requireNonNull(fn, "fn");
        return (Completion<U>) super.thenComposeAsync(fn, engine.stages());
    }

    /** Adds a stage that runs on the engine's thread. */
    @Override
    @NullUnmarked
    public Completion<T> whenComplete(BiConsumer<? super T, ? super Throwable> action) {
        Objects.requireNonNull(action, "action");
        return (Completion<T>) super.whenCompleteAsync(action, engine.stages());
    }

    /** Adds a stage that runs on the engine's thread. */
    @Override
    @NullUnmarked
    public <U> Completion<U> handle(BiFunction<? super T, Throwable, ? extends U> fn) {
        Objects.requireNonNull(fn, "fn");
        return (Completion<U>) super.<U>handleAsync(fn, engine.stages());
    }

    /** Adds a stage that runs on the engine's thread. */
    @Override
    @NullUnmarked
    public Completion<T> exceptionally(Function<Throwable, ? extends T> fn) {
        Objects.requireNonNull(fn, "fn");
        return (Completion<T>) super.exceptionallyAsync(fn, engine.stages());
    }

    /** Adds a stage that runs on the engine's thread. */
    @Override
    @NullUnmarked
    public Completion<T> exceptionallyCompose(Function<Throwable, ? extends CompletionStage<T>> fn) {
        Objects.requireNonNull(fn, "fn");
        return (Completion<T>) super.exceptionallyComposeAsync(fn, engine.stages());
    }

    /** Returns a stage of this engine: the JDK makes a stage of the type of the other one if that is done already. */
    @NullUnmarked
    @SuppressWarnings("FutureReturnValueIgnored") // the result ends as the stage does
    private <U> Completion<U> ours(CompletableFuture<U> stage) {
        if (stage instanceof Completion<U> same && same.engine.equals(engine)) {
            return same;
        }
        Completion<U> own = new Completion<>(engine, true);
        stage.whenComplete((result, failure) -> {
            if (failure == null) {
                own.complete(result);
            } else {
                own.completeExceptionally(failure);
            }
        });
        return own;
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new Completion<>(engine, true);
    }

    /**
     * Makes the completion of this wake the engine's thread, which is going to wait.
     *
     * @throws IllegalArgumentException if this belongs to another engine
     */
    void wakeWhenDone(ProgressEngine other) {
        if (!other.equals(engine)) {
            throw new IllegalArgumentException(
                    "The completion belongs to another engine, that of " + OwnerThread.name(engine.thread()));
        }
        wakeWhenDone();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it ends as this one does
    private void wakeWhenDone() {
        if (isStage && !wakes && !isDone()) {
            wakes = true;
            super.whenComplete((result, failure) -> engine.wakeUp());
        }
    }

    /** Returns the result, or throws the failure without the {@link CompletionException} of {@link #join()}. */
    T result() {
        if (state() == State.FAILED) {
            Throwable failure = exceptionNow();
            if (failure instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            if (failure instanceof Error error) {
                throw error;
            }
            throw new CompletionException(failure);
        }
        return super.join();
    }

    /** Returns the state, as that of any {@link CompletableFuture}. */
    @Override
    public String toString() {
        String state = super.toString();
        return "Completion" + state.substring(state.indexOf('@'));
    }
}
