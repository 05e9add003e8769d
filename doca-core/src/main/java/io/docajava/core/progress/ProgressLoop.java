/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import io.docajava.DocaException;
import io.docajava.core.Doca;
import io.docajava.core.internal.engine.EngineImpl;
import io.docajava.core.internal.engine.LoopRoom;
import io.docajava.core.internal.engine.LoopRooms;
import io.docajava.core.internal.lifecycle.OwnerThread;
import io.docajava.ffi.internal.StackGuard;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A thread with an engine of its own, which it progresses continuously.
 *
 * {@snippet :
 * try (ProgressLoop loop = ProgressLoop.start();
 *         DmaContext dma = DmaContext.builder(device).start(loop)) {
 *     long bytes = dma.copy(memory.range(0, 4096), memory.range(8192, 4096)).await(); // by any thread
 * }
 * }
 *
 * <p>Any thread, platform or virtual, requests operations with a future of a context that was started on the loop, and stops, restarts
 * and closes that context. The other objects that are created on the loop belong to its thread: use tasks, graphs, buffers, inventories
 * and operations with a handler inside {@link #call} or {@link #execute}. Futures complete on the thread of the loop, so dependent
 * stages without an executor run there and must not block. That thread cannot wait for a future of its own loop, nor without a time
 * limit for a future of another loop or engine: {@code join} and {@code get} then throw an {@link IllegalStateException}.
 *
 * <p>{@link #close()} closes the graphs, contexts, inventories and pools that were created on the loop and are still open, in that
 * order. Memory maps and devices belong to no thread; the caller closes them. After the loop's thread has ended, objects that could not
 * be closed belong to the first thread that uses them.
 *
 * <p>On a loop, an operation with a future waits if all tasks of its context are in use, instead of failing. It fails only if open
 * prepared tasks hold all of them and none is in flight. Operations with a future begin in the order of the calls: those of a context,
 * except that RDMA receives have an order of their own, and sends of comm channels that of their connection. Operations with a handler
 * and prepared tasks do not wait. If the context stops while an operation waits, that operation fails like one that is submitted to a
 * stopped context. Operations that queued work submits go to the device together after the queued work has run.
 *
 * <p>Each context has queues for its operations, and all other work has one, so contexts do not keep each other's operations out. Each
 * queue is bounded ({@link Builder#maxQueued}); queued operations and those that wait for free tasks count together. When it is full,
 * {@link #call}, {@link #execute} and requests of operations wait for room, or are refused at once ({@link
 * Builder#rejectWhenFull}). The thread of a loop never waits for room. Calls and operations of the loop's own thread, for example
 * in dependent stages, are accepted and may exceed the bound. Calls by the thread of another loop are refused with a {@link
 * RejectedExecutionException} when the queue is full, since two loops that wait for each other would never continue: call again later,
 * or from another thread ({@link CompletableFuture#thenApplyAsync}).
 *
 * <p>Work does not run if its future is cancelled before the work has begun, and neither does an operation.
 *
 * <p>If the loop fails, because its idle strategy throws or the SDK refuses to progress or to sleep, the {@linkplain
 * Builder#errorHandler error handler} gets the exception, or the log if there is none. The loop then closes its contexts, fails
 * all futures that are not done, and rejects further work with the failure as the cause. An {@link OutOfMemoryError} does not
 * end the loop: it is reported, and the loop goes on when there is memory.
 */
public final class ProgressLoop implements Executor, AutoCloseable {

    /**
     * The time that the thread may take to end after its contexts were closed. {@link #close()} waits for the end itself. Only a clock
     * can tell that it never comes, as a thread that is stuck in a callback or in a call of the SDK signals nothing. More than the thread
     * needs on a busy machine.
     */
    private static final long LAST_STEPS_NANOS = 10_000_000_000L;

    private final LoopThread thread;
    private final LoopRooms rooms;
    private final long lastStepsNanos;
    private final AtomicBoolean closeFailureThrown = new AtomicBoolean();

    private ProgressLoop(Builder builder) {
        Doca.load();
        rooms = new LoopRooms(builder.maxQueued);
        thread = new LoopThread(builder, rooms);
        lastStepsNanos = builder.lastStepsNanos;
    }

    /**
     * Starts a loop with the defaults of {@link Builder}.
     *
     * @return the loop, whose thread is running; the caller closes it
     * @throws DocaException if its engine cannot be created
     */
    public static ProgressLoop start() {
        return builder().start();
    }

    /** {@return a new builder of loops} */
    public static Builder builder() {
        StackGuard.check();
        return new Builder();
    }

    /** {@return the engine of this loop, which its thread alone may use} Any thread may call. */
    public ProgressEngine engine() {
        return thread.engine();
    }

    /** {@return the loop's thread} */
    public Thread thread() {
        return thread;
    }

    /**
     * Runs work on the loop's thread. Waits first if the queue is full. Any thread may call.
     *
     * @param <T> the type of the result
     * @param work called once by the loop's thread
     * @return the future of the result, which fails with the exception that the work throws
     * @throws RejectedExecutionException if the loop is closed or has failed; if the queue is full and {@link
     *     Builder#rejectWhenFull} is set, or the caller is the thread of another loop; or if the thread is interrupted while it
     *     waits, in which case the cause is an {@link InterruptedException} and the thread remains interrupted. The work does not
     *     run
     */
    public <T> CompletableFuture<T> call(LoopCall<T> work) {
        Objects.requireNonNull(work, "work");
        StackGuard.check();
        LoopCommand<T> command = new LoopCommand<>(thread) {
            @Override
            void execute() throws Exception {
                complete(work.call(thread.engine()));
            }
        };
        thread.enqueue(command);
        return command;
    }

    /**
     * Runs a task on the loop's thread, never within this call. Waits first if the queue is full. Any thread may call. The error handler
     * gets what the task throws, and an {@link IllegalStateException} if the loop ends before it has run the task.
     *
     * @param task run once by the loop's thread
     * @throws RejectedExecutionException in the cases of {@link #call}; the task does not run
     */
    @Override
    public void execute(Runnable task) {
        Objects.requireNonNull(task, "task");
        StackGuard.check();
        thread.enqueue(new LoopTask(thread, task));
    }

    /**
     * {@return a snapshot of the operations of the loop, since it was started and at present} Any thread may call, also after
     * close.
     */
    public EngineStats stats() {
        return EngineImpl.of(thread.engine()).stats(rooms.taken());
    }

    /**
     * Ends the loop. It accepts no more work, runs the queued work, and progresses until the operations that other threads have
     * requested and the runs of graphs are complete. Then it closes the graphs with their instances, the contexts of its engine, and the inventories and pools that
     * were created on its thread, the newest first, and destroys the engine. While closing, it polls with {@link
     * IdleStrategy#backoff()}.
     *
     * <p>If that takes longer than the close timeout, the loop stops its contexts, which ends the runs of graphs, and closes
     * them, which aborts their operations. When this returns or throws, every future of the loop is complete, unless its thread did not end. After the thread has ended, a
     * further call does nothing.
     *
     * @throws IllegalStateException if called by the loop's own thread; if its thread does not end in time; or if graphs,
     *     contexts, inventories or pools could not be closed, which the message names. All callers that wait for the end get the
     *     exception. Those objects and the engine stay open, and any thread can close them
     * @throws DocaException if a context did not stop in time, or the SDK refused
     */
    @Override
    public void close() {
        if (thread.isCurrent()) {
            throw new IllegalStateException(
                    thread.title() + " cannot be closed by its own thread, which would wait for itself");
        }
        StackGuard.checkToClose();
        boolean waits = thread.isAlive();
        synchronized (this) {
            thread.requestClose();
        }
        awaitEnd();
        RuntimeException thrown = thread.closeFailure();
        if (thrown != null && (closeFailureThrown.compareAndSet(false, true) || waits)) {
            throw thrown;
        }
    }

    /** Waits for the thread to end, up to the close timeout and the time for the last steps. */
    private void awaitEnd() {
        long timeoutNanos = Math.min(thread.closeTimeoutNanos(), Long.MAX_VALUE / 4);
        if (thread.awaitEnd(timeoutNanos)) {
            return;
        }
        // The thread may be asleep, and has to notice that the timeout has passed.
        thread.engine().wakeUp();
        if (!thread.awaitEnd(timeoutNanos + lastStepsNanos)) {
            throw new IllegalStateException(
                    thread.title() + " did not end in time: the cause shows where its thread is busy",
                    OwnerThread.stackOf(thread));
        }
    }

    /** Returns the name, and whether the loop is closed or has failed. */
    @Override
    public String toString() {
        return thread.description();
    }

    /** Configures a {@link ProgressLoop}. */
    public static final class Builder {

        @Nullable
        String name;

        boolean daemon = true;
        IdleStrategy idleStrategy = IdleStrategy.eventDriven();

        @Nullable
        Consumer<? super Throwable> errorHandler;

        Duration closeTimeout = Duration.ofSeconds(10);
        Duration warnAfter = EngineImpl.WARN_AFTER;
        int maxQueued = 4096;
        boolean rejectWhenFull;
        /** Less in tests of threads that never end. */
        long lastStepsNanos = LAST_STEPS_NANOS;

        private Builder() {}

        /**
         * Sets the name of the loop and of its thread.
         *
         * @param name by default "doca-progress-" and a number that is unique in the process
         * @return this builder
         */
        public Builder name(String name) {
            this.name = Objects.requireNonNull(name, "name");
            return this;
        }

        /**
         * Sets whether the thread is a daemon, which does not keep the JVM from exiting.
         *
         * @param daemon by default true, so that a loop that was not closed does not keep the JVM running
         * @return this builder
         */
        public Builder daemon(boolean daemon) {
            this.daemon = daemon;
            return this;
        }

        /**
         * Sets the idle strategy of the thread.
         *
         * @param strategy used by its {@link IdleStrategy#forEngine}; {@link IdleStrategy#eventDriven()} if not set
         * @return this builder
         */
        public Builder idleStrategy(IdleStrategy strategy) {
            this.idleStrategy = Objects.requireNonNull(strategy, "strategy");
            return this;
        }

        /**
         * Sets the handler of exceptions that callbacks and listeners throw, as {@link ProgressEngine#errorHandler} does, and of
         * the exception that makes the loop fail.
         *
         * @param handler called by the loop's thread; by default exceptions are logged
         * @return this builder
         */
        public Builder errorHandler(Consumer<? super Throwable> handler) {
            this.errorHandler = Objects.requireNonNull(handler, "handler");
            return this;
        }

        /**
         * Sets the time after which a warning is logged if operations do not complete; see {@link ProgressEngine#warnAfter}.
         *
         * @param time the time without a completion; by default 10 s; 0 disables the warning
         * @return this builder
         * @throws IllegalArgumentException if it is negative
         */
        public Builder warnAfter(Duration time) {
            this.warnAfter = EngineImpl.checkWarnAfter(time);
            return this;
        }

        /**
         * Sets how long {@link ProgressLoop#close()} waits for operations to complete, and then again for contexts to stop.
         *
         * @param timeout by default 10 s; with 0, contexts that do not stop in one round of progress are abandoned
         * @return this builder
         * @throws IllegalArgumentException if it is negative
         */
        public Builder closeTimeout(Duration timeout) {
            Objects.requireNonNull(timeout, "timeout");
            if (timeout.isNegative()) {
                throw new IllegalArgumentException("The close timeout must not be negative: " + timeout);
            }
            this.closeTimeout = timeout;
            return this;
        }

        /**
         * Sets the capacity of each queue; by default 4096. All operations of a DMA context have a queue, and so have the receives
         * of an RDMA context, its other operations, the operations of one type of a sync event, the sends of one connection of a comm
         * channel, and all other work of the loop. A queue includes operations that wait for free tasks. Other work that the loop has
         * begun, such as copies in flight, does not count.
         *
         * @param maxQueued from 1 to 2^29
         * @return this builder
         * @throws IllegalArgumentException if it is out of that range
         */
        public Builder maxQueued(int maxQueued) {
            if (maxQueued < 1 || maxQueued > LoopRoom.LIMIT) {
                throw new IllegalArgumentException(
                        "A loop can queue from 1 to " + LoopRoom.LIMIT + " pieces of work: " + maxQueued);
            }
            this.maxQueued = maxQueued;
            return this;
        }

        /**
         * Sets whether a full queue rejects work at once with a {@link RejectedExecutionException} that names the limit.
         *
         * @param reject by default false: the caller waits for room
         * @return this builder
         */
        public Builder rejectWhenFull(boolean reject) {
            this.rejectWhenFull = reject;
            return this;
        }

        /**
         * Starts the loop's thread, and returns when it has created its engine.
         *
         * @return the loop; the caller closes it
         * @throws DocaException if the engine cannot be created
         */
        public ProgressLoop start() {
            ProgressLoop loop = new ProgressLoop(this);
            loop.thread.startEngine();
            return loop;
        }

        /** Returns the name. */
        @Override
        public String toString() {
            return "ProgressLoop.Builder" + (name == null ? "" : " of \"" + name + "\"");
        }
    }
}
