/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import io.docajava.DocaException;
import io.docajava.core.Doca;
import io.docajava.core.internal.engine.Deadlines;
import io.docajava.core.internal.engine.EngineImpl;
import io.docajava.ffi.argument.Elements;
import io.docajava.ffi.internal.StackGuard;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * An object that progresses contexts and delivers their completions ({@code struct doca_pe}). No operation completes unless the
 * engine's thread calls {@link #progress()} or a method that waits.
 *
 * <p>An engine, its contexts and their tasks belong to the thread that created the engine. A call by another thread throws an
 * {@link IllegalStateException} that names both threads. Only {@link #wakeUp()}, {@link #stats()} and {@link #thread()} may be
 * called by any thread. After the owning thread has ended, the engine belongs to the first thread that calls it. For work from
 * many threads use {@link ProgressLoop}.
 *
 * <p>Completions are delivered after the native call has returned: futures complete and callbacks run inside {@link #progress()}
 * or a method that waits. Callbacks may submit, stop and close, but if they progress or wait, an {@link IllegalStateException} is
 * thrown. An exception of a callback goes to the error handler and affects neither other completions nor the caller of progress.
 * If memory is too short to deliver a completion, the call throws an {@link OutOfMemoryError}, and a later progress delivers it.
 *
 * <p>An engine becomes slow if its contexts are restarted many times. Its DMA contexts share one completion queue, which DOCA
 * enlarges at each start of a context and never shrinks: with DOCA 2.5 the first start takes 0.2 ms, start number 512 takes 32
 * ms, and start number 1024 takes 87 ms. A warning is logged after 256 starts of contexts of any kind. Then close the contexts
 * and the engine, and create new ones.
 */
public sealed interface ProgressEngine extends AutoCloseable permits EngineImpl {

    /**
     * Creates an engine for the calling thread ({@code doca_pe_create}).
     *
     * @return the engine, which belongs to the calling thread and is to be closed by it
     * @throws DocaException if the SDK refuses
     */
    static ProgressEngine create() {
        Doca.load();
        return new EngineImpl();
    }

    /** {@return the thread that owns the engine} Any thread may call. */
    Thread thread();

    /**
     * Sets the handler of exceptions that callbacks and listeners throw. It runs on the engine's thread, inside the delivery.
     * Without a handler, or if the handler throws, the exception is logged as an error; if SLF4J has no provider or an appender
     * throws, the {@linkplain Thread#getUncaughtExceptionHandler() uncaught-exception handler} of the engine's thread gets it.
     *
     * @param handler that replaces the previous handler
     * @return this engine
     */
    ProgressEngine errorHandler(Consumer<? super Throwable> handler);

    /**
     * Sets the idle strategy of all methods that wait: {@link #await(BooleanSupplier)}, {@link #awaitAll}, {@link Completion#await()}, and the
     * methods of contexts that drain, restart or close.
     *
     * @param strategy whose {@link IdleStrategy#forEngine} is called for this engine; by default {@link
     *     IdleStrategy#eventDriven()}
     * @return this engine
     */
    ProgressEngine idleStrategy(IdleStrategy strategy);

    /**
     * Sets the time after which a warning is logged if operations do not complete. If operations of a context are in flight for
     * this time and none of them completes or fails, the logger of this class warns once: the message names the context, the
     * oldest operation and its connection. The next warning comes only after an operation of that context has ended.
     *
     * <p>Receives, waits for a value of a sync event and tasks of graphs depend on more than the device, so they alone cause no
     * warning. A sleeping thread wakes up to warn.
     *
     * <p>If the engine's thread neither progresses nor sleeps in a method of this class for this time, or for a second if that is
     * longer, while such operations are in flight, a thread of the common pool warns once, with the stack of the engine's thread. The
     * thread may wait in {@code CompletableFuture.allOf(...).join()}, for example.
     *
     * @param time the time without a completion; by default 10 s; 0 disables the warning
     * @return this engine
     * @throws IllegalArgumentException if it is negative
     */
    ProgressEngine warnAfter(Duration time);

    /**
     * Progresses the contexts ({@code doca_pe_progress}, up to 128 times in one native call) and delivers their completions.
     * Never blocks.
     *
     * @return the number of completions and other events; 0 if there was nothing to do
     * @throws IllegalStateException if the engine is closed, or when called by a callback
     */
    int progress();

    /**
     * Progresses until a round finds nothing to do. Unlike {@link io.docajava.core.context.Context#drain}, this does not wait for
     * tasks in flight. This does not return while callbacks submit further tasks that complete at once.
     *
     * @return the number of completions and other events
     * @throws IllegalStateException if the engine is closed, or when called by a callback
     */
    default int progressAll() {
        int sum = 0;
        int events;
        do {
            events = progress();
            sum += events;
        } while (events > 0);
        return sum;
    }

    /**
     * Progresses until a condition holds, without a time limit; otherwise as {@link #await(BooleanSupplier, Duration)}.
     *
     * @param condition evaluated on the calling thread before the first round and after each, and not again after it held, so
     *     that it may have an effect, such as {@code queue.poll() != null}
     * @throws InterruptedException if the thread is interrupted
     * @throws IllegalStateException if the engine is closed or of a {@link ProgressLoop}, or when called by a callback
     */
    default void await(BooleanSupplier condition) throws InterruptedException {
        Objects.requireNonNull(condition, "condition");
        checkMayWait();
        while (!((EngineImpl) this).waits().progressUntil(condition, Duration.ofNanos(Long.MAX_VALUE))) {
            // That is about 292 years.
        }
    }

    /**
     * Progresses until a condition holds, and uses the engine's idle strategy. If another thread makes the condition hold, it
     * must then call {@link #wakeUp()}, since the engine's thread may be asleep.
     *
     * @param condition evaluated on the calling thread before the first round and after each, and not again after it held, so
     *     that it may have an effect, such as {@code queue.poll() != null}
     * @param timeout the longest time to wait; 0 or less means one round of progress
     * @return whether the condition holds
     * @throws InterruptedException if the thread is interrupted
     * @throws IllegalStateException if the engine is closed or of a {@link ProgressLoop}, or when called by a callback
     */
    default boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException {
        Objects.requireNonNull(condition, "condition");
        Objects.requireNonNull(timeout, "timeout");
        checkMayWait();
        return ((EngineImpl) this).waits().progressUntil(condition, timeout);
    }

    /** Refuses a wait that another thread or a callback calls, or the thread of a loop, which progresses by itself. */
    private void checkMayWait() {
        EngineImpl inside = (EngineImpl) this;
        inside.checkUsable();
        BlockingGuard.checkOwnLoop(thread());
        inside.refuseInCallback();
    }

    /**
     * Waits until a stage is done and returns its result, as {@link Completion#await()} of a completion of this engine does. The
     * stage may be of any kind and be completed by any thread, which wakes the engine's thread.
     *
     * @param <T> the type of the result
     * @param stage for example the future of {@link java.util.concurrent.CompletableFuture#allOf}
     * @return the result of the stage
     * @throws DocaException if it ended with one
     * @throws CancellationException if it was cancelled
     * @throws CompletionException if it ended with a checked exception, which is the cause
     * @throws InterruptedException if the thread is interrupted; what the stage waits for is not affected
     * @throws IllegalArgumentException if it belongs to another engine of the calling thread, which would not progress
     * @throws IllegalStateException as {@link Completion#await()}
     */
    default <T> T await(CompletionStage<T> stage) throws InterruptedException {
        return follow(stage).await();
    }

    /**
     * Waits until a stage is done or a timeout has passed; otherwise as {@link #await(CompletionStage)}. After a {@link
     * TimeoutException} the stage can be awaited again.
     *
     * @param <T> the type of the result
     * @param stage of any kind
     * @param timeout the longest time to wait; with 0 or less, the engine's thread makes one round of progress and other threads do not
     *     wait
     * @return the result of the stage
     * @throws TimeoutException if it is not done within the timeout
     * @throws DocaException if it ended with one
     * @throws CancellationException if it was cancelled
     * @throws CompletionException if it ended with a checked exception, which is the cause
     * @throws InterruptedException if the thread is interrupted; what the stage waits for is not affected
     * @throws IllegalArgumentException if it belongs to another engine of the calling thread, which would not progress
     * @throws IllegalStateException as {@link Completion#await(Duration)}
     */
    default <T> T await(CompletionStage<T> stage, Duration timeout) throws InterruptedException, TimeoutException {
        Objects.requireNonNull(timeout, "timeout");
        return follow(stage).await(timeout);
    }

    /** Returns a completion of this engine that ends as a stage does. */
    @SuppressWarnings("FutureReturnValueIgnored") // the completion that is returned ends instead
    private <T> Completion<T> follow(CompletionStage<T> stage) {
        Objects.requireNonNull(stage, "stage");
        StackGuard.check();
        if (stage instanceof Completion<T> completion) {
            ProgressEngine other = completion.engine();
            if (other.equals(this)) {
                return completion;
            }
            if (!completion.isDone() && Thread.currentThread().equals(other.thread())) {
                throw new IllegalArgumentException(
                        "The completion belongs to another engine of this thread, which does not progress meanwhile");
            }
        }
        Completion<T> following = new Completion<>(this);
        stage.whenComplete((result, failure) -> {
            if (failure == null) {
                following.complete(result);
            } else {
                following.completeExceptionally(failure);
            }
        });
        return following;
    }

    /**
     * Progresses until all of the given completions are done, or for a limited time. After a {@link TimeoutException} the tasks
     * of the completions that are not done are still in flight; they can be awaited again.
     *
     * @param completions of this engine, in any order
     * @param timeout the longest time to wait; 0 or less means one round of progress
     * @throws TimeoutException if not all of them are done within that time
     * @throws DocaException if a task failed. This is the first failure in the order of the collection, thrown when all
     *     completions are done
     * @throws CancellationException if the first failed completion was cancelled
     * @throws CompletionException if the first failed completion is a stage that ended with a checked exception, which is the
     *     cause
     * @throws InterruptedException if the thread is interrupted; the tasks stay in flight
     * @throws IllegalArgumentException if one of them belongs to another engine
     * @throws IllegalStateException if the engine is closed or of a {@link ProgressLoop}, or when called by another thread or by a
     *     callback
     */
    default void awaitAll(Collection<? extends Completion<?>> completions, Duration timeout)
            throws InterruptedException, TimeoutException {
        List<Completion<?>> all = Elements.copy(completions, "completions");
        Objects.requireNonNull(timeout, "timeout");
        ((EngineImpl) this).checkUsable();
        all.forEach(completion -> completion.wakeWhenDone(this));
        Deque<Completion<?>> left = new ArrayDeque<>(all);
        boolean done = await(
                () -> {
                    while (!left.isEmpty() && left.getFirst().isDone()) {
                        left.removeFirst();
                    }
                    return left.isEmpty();
                },
                timeout);
        if (!done) {
            long open = left.stream().filter(completion -> !completion.isDone()).count();
            throw new TimeoutException(open + " of " + all.size() + " not completed within " + Deadlines.text(timeout)
                    + "; their tasks are still in flight");
        }
        all.forEach(Completion::result);
    }

    /**
     * Sleeps until there is something to progress ({@code doca_pe_request_notification}, {@code epoll_wait}, {@code
     * doca_pe_clear_notification}) or {@link #wakeUp()} is called. This does not progress. It returns at once for completions
     * from before the call, so no wake-up is lost between progress and sleep. After a sleep, the SDK hides the completions of
     * each queue that did not signal before the sleep ended. Therefore, from the first sleep on, progress also calls {@code
     * doca_pe_clear_notification} from time to time, and finds such completions after at most 16 µs of polling. While an RDMA
     * context uses connections by address, this pauses for at most 1 ms instead and returns true, because DOCA 3.0 loses events of
     * these connections in {@code doca_pe_request_notification}. Use this method in a loop of your own, like the file descriptor
     * in C:
     *
     * {@snippet :
     * while (running) {
     *     engine.progressAll();
     *     runQueuedWork(); // other threads queue work and then call engine.wakeUp()
     *     engine.awaitEvent(Duration.ofSeconds(1));
     * }
     * }
     *
     * @param timeout the longest time to sleep, rounded up to milliseconds; 0 or less does not sleep
     * @return false if the timeout has passed without a signal; true does not guarantee that there is something to progress
     * @throws InterruptedException if the thread is interrupted
     * @throws IllegalStateException if the engine is closed, or when called by a callback
     * @throws DocaException if the SDK refuses
     */
    boolean awaitEvent(Duration timeout) throws InterruptedException;

    /**
     * Wakes the engine's thread if it sleeps in a method of this engine or in an idle strategy; otherwise its next sleep ends at
     * once. Earlier writes of the calling thread are visible to the engine's thread after that sleep. Any thread may call at any
     * time; after close this does nothing. It makes a system call only if the thread sleeps.
     */
    void wakeUp();

    /**
     * {@return the number of submitted tasks of all attached contexts whose completions have not been delivered yet}
     *
     * @throws IllegalStateException if the engine is closed
     */
    int inFlight();

    /**
     * {@return a snapshot of the operations of all contexts, since the engine was created and at present} Any thread may call,
     * also after close.
     */
    EngineStats stats();

    /**
     * Destroys the engine ({@code doca_pe_destroy}). A second call does nothing.
     *
     * @throws IllegalStateException if contexts are attached, which the message names; if this is the engine of a loop; or when
     *     called by a callback
     * @throws DocaException if the SDK refuses; the engine can be closed again
     */
    @Override
    void close();
}
