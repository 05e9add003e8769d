/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import io.docajava.DocaException;
import io.docajava.core.internal.engine.Deadlines;
import io.docajava.core.internal.lifecycle.OwnerThread;
import io.docajava.ffi.internal.StackGuard;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The result of a submitted task, which completes while its engine progresses. Stages that depend on it run on the
 * engine's thread, as callbacks do, unless an executor is given to them; they are completions of that engine, too.
 *
 * <p>The engine's thread waits for it by {@link #await(ProgressEngine)}. {@link #get()} and {@link #join()} would wait
 * there for ever, since only that thread can complete it, and throw an {@link IllegalStateException} unless it is done.
 * Other threads may use them. Futures made by {@link #allOf} and {@link #anyOf} have no engine: {@code get} and {@code join}
 * of these must not be called on its thread; use {@link ProgressEngine#await} with their {@code isDone} as the condition.
 *
 * <p>A task cannot be taken back from the device. {@link #cancel}, {@link #orTimeout} and {@link #complete} therefore end this
 * future only: a task in flight stays in flight, and its buffers stay in use, and cannot be closed, until the device has
 * finished. An operation that still waits for a free task of its context is never submitted; its buffers are released when its
 * turn comes.
 *
 * @param <T> the type of the result
 */
public final class Completion<T> extends CompletableFuture<T> {

    private static final VarHandle LISTENER;

    static {
        try {
            LISTENER = MethodHandles.lookup().findVarHandle(Completion.class, "listener", BiConsumer.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ProgressEngine engine;
    /** True for a stage, which another thread may complete and must then wake the engine's thread; false for a task. */
    private final boolean isStage;
    /** True if the completion of this stage wakes the engine. */
    private boolean wakes;
    /** Called at the end of a task, in fewer steps than a stage takes; set and removed by compare-and-set. */
    private volatile @Nullable BiConsumer<? super T, ? super @Nullable Throwable> listener;

    Completion(ProgressEngine engine) {
        this(engine, false);
    }

    private Completion(ProgressEngine engine, boolean isStage) {
        this.engine = engine;
        this.isStage = isStage;
    }

    /**
     * Progresses until this is done.
     *
     * @param engine the engine that it belongs to, whose thread calls
     * @return the result
     * @throws DocaException if the task failed
     * @throws CancellationException if this was cancelled
     * @throws CompletionException if a stage before this one ended with a checked exception, which is the cause
     * @throws InterruptedException if the thread is interrupted; the task stays in flight
     * @throws IllegalArgumentException if it belongs to another engine
     * @throws IllegalStateException if called by another thread or by a callback, or if the engine is closed
     */
    public T await(ProgressEngine engine) throws InterruptedException {
        Objects.requireNonNull(engine, "engine");
        prepareWait(engine);
        engine.await(this::isDone);
        return result();
    }

    /**
     * Progresses until this is done, or for a limited time. After a {@link TimeoutException} the task is still in
     * flight, its buffers remain in use, and it can be awaited again.
     *
     * @param engine the engine that it belongs to, whose thread calls
     * @param timeout how long at most; 0 or less means one round of progress
     * @return the result
     * @throws TimeoutException if it is not done in that time
     * @throws DocaException if the task failed
     * @throws CancellationException if this was cancelled
     * @throws CompletionException if a stage before this one ended with a checked exception, which is the cause
     * @throws InterruptedException if the thread is interrupted; the task stays in flight
     * @throws IllegalArgumentException if it belongs to another engine
     * @throws IllegalStateException if called by another thread or by a callback, or if the engine is closed
     */
    public T await(ProgressEngine engine, Duration timeout) throws InterruptedException, TimeoutException {
        Objects.requireNonNull(engine, "engine");
        Objects.requireNonNull(timeout, "timeout");
        prepareWait(engine);
        if (!engine.await(this::isDone, timeout)) {
            throw new TimeoutException(
                    "Not completed within " + Deadlines.text(timeout) + "; the task is still in flight");
        }
        return result();
    }

    /**
     * Waits until this is done and returns the result. On the engine's thread use {@link #await(ProgressEngine)}.
     *
     * @throws IllegalStateException if called by the engine's thread before this is done
     */
    @Override
    public T get() throws InterruptedException, ExecutionException {
        BlockingGuard.check(this, engine.thread());
        return super.get();
    }

    /**
     * Waits for a limited time until this is done and returns the result. On the engine's thread use {@link
     * #await(ProgressEngine, Duration)}.
     *
     * @throws IllegalStateException if called by the engine's thread before this is done
     */
    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        Objects.requireNonNull(unit, "unit");
        BlockingGuard.check(this, engine.thread());
        return super.get(timeout, unit);
    }

    /**
     * Waits until this is done and returns the result. On the engine's thread use {@link #await(ProgressEngine)}.
     *
     * @throws IllegalStateException if called by the engine's thread before this is done
     */
    @Override
    public T join() {
        BlockingGuard.check(this, engine.thread());
        return super.join();
    }

    @Override
    public boolean complete(T value) {
        checkStack();
        boolean first = super.complete(value);
        if (listener != null) {
            notifyListener();
        }
        return first;
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        Objects.requireNonNull(failure, "failure");
        checkStack();
        boolean first = super.completeExceptionally(failure);
        if (listener != null) {
            notifyListener();
        }
        return first;
    }

    /** Has an executor call a supplier and {@link #complete} this with its result; see there. Any thread may call. */
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
     * Makes sure that a thread other than the engine's has room on its stack to complete this and to call what follows: a
     * dependent that a stack overflow loses would be waited for in vain. On the engine's thread progress has checked.
     */
    private void checkStack() {
        if (!Thread.currentThread().equals(engine.thread())) {
            StackGuard.check();
        }
    }

    /**
     * Sets the listener that the thread that ends this task calls, once. If this is completed without {@link #complete} or
     * {@link #completeExceptionally}, the listener is called when the task ends. Any thread may call.
     *
     * @return false if the listener was not set, since this is a stage, which ends in more ways, or has a listener already
     */
    boolean listen(BiConsumer<? super T, ? super @Nullable Throwable> newListener) {
        if (isStage || !LISTENER.compareAndSet(this, null, newListener)) {
            return false;
        }
        // This may have been completed before, or by another thread in this moment.
        if (isDone()) {
            notifyListener();
        }
        return true;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it is done: the listener is called at once
    private void notifyListener() {
        BiConsumer<? super T, ? super @Nullable Throwable> callback = listener;
        if (callback == null || !LISTENER.compareAndSet(this, callback, null)) {
            return;
        }
        if (state() == State.SUCCESS) {
            callback.accept(resultNow(), null);
        } else {
            super.whenComplete(callback);
        }
    }

    /**
     * Completes this with a {@link CancellationException}, unless it is done. An operation that waits for a free task is then
     * never submitted. A task in flight cannot be taken back: the device carries it out, and its buffers stay in use until
     * then. Any thread may call.
     *
     * @param mayInterruptIfRunning has no effect
     * @return whether this is cancelled now
     */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        StackGuard.check();
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        if (listener != null) {
            notifyListener();
        }
        // The engine's thread may await this and be asleep.
        engine.wakeUp();
        return cancelled;
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new Completion<>(engine, true);
    }

    /**
     * Makes the completion of this wake the engine, if another thread may complete it.
     *
     * @throws IllegalArgumentException if this belongs to another engine
     */
    @SuppressWarnings("FutureReturnValueIgnored") // it ends as this one does
    void prepareWait(ProgressEngine other) {
        if (!other.equals(engine)) {
            throw new IllegalArgumentException(
                    "The completion belongs to another engine, that of " + OwnerThread.name(engine.thread()));
        }
        if (isStage && !wakes && !isDone()) {
            wakes = true;
            whenComplete((result, failure) -> engine.wakeUp());
        }
    }

    /** Returns the result of a completed task, or throws its failure without the wrapping of join(). */
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
}
