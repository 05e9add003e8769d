/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import io.docajava.DocaException;
import io.docajava.core.internal.engine.Deadlines;
import io.docajava.core.internal.engine.EngineAccess;
import io.docajava.core.internal.engine.EngineContext;
import io.docajava.core.internal.engine.EngineCore;
import io.docajava.core.internal.engine.GraphCore;
import io.docajava.core.internal.log.CallbackErrors;
import io.docajava.ffi.internal.StackGuard;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread with an engine of its own. It progresses all the time and takes work from any thread, including virtual threads.
 *
 * {@snippet :
 * try (ProgressLoop loop = ProgressLoop.start()) {
 *     DmaContext dma = loop.call(engine -> DmaContext.builder(device).start(engine)).join();
 *     long bytes = loop.submit(() -> dma.copy(source, target)).join();
 * }
 * }
 *
 * <p>Objects created on the loop belong to its thread: contexts, their tasks, graphs, buffers and inventories are created, used
 * and closed inside of {@link #call} and {@link #submit}. Their futures complete on that thread, so dependent stages
 * without an executor run there and must not block; waiting there for such a future throws an
 * {@link IllegalStateException}. {@link #close()} closes the graphs, contexts, inventories and pools that were created on the loop
 * and are still open, in that order; memory maps and devices belong to no thread, and the caller closes them. Objects that could not be
 * closed belong to the first thread that uses them after the thread of the loop has ended.
 *
 * <p>On the loop's thread, a copy or another operation with a future waits for a free task of its context if all are in use;
 * it does not fail for lack of one. The operations of a context begin in the order in which they were called. If the context
 * stops meanwhile, a waiting operation fails as one that is called then. The operations that queued work submits go to the
 * device after the queued work has run, in one batch per context.
 *
 * <p>The queue is bounded ({@link Builder#maxQueued}). Queued work and operations that wait for free tasks count together. When it
 * is full, {@link #call} and {@link #submit} wait for room, on platform threads as on virtual ones, or are refused at
 * once ({@link Builder#rejectWhenFull}). The thread of a loop never waits for room. Calls by the loop's own thread, such
 * as those of dependent stages, are accepted and may exceed the bound. Calls by the thread of another loop are refused with
 * a {@link RejectedExecutionException}, since two loops that wait for each other would do so for ever: call again later, or
 * call from another thread ({@link CompletableFuture#thenApplyAsync}).
 *
 * <p>Work whose future is cancelled before the work has begun is not done.
 *
 * <p>If the loop fails, because its idle strategy throws or the SDK refuses to progress or to sleep, the {@linkplain
 * Builder#errorHandler error handler} gets the exception, or the log if there is none. The loop then closes its contexts, fails all
 * futures that are not done, and rejects further work with the failure as the cause.
 */
public final class ProgressLoop implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ProgressLoop.class);

    /** The time that the thread needs to end after its contexts were closed. */
    private static final long LAST_STEPS_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The number of the last loop without a name of its own. */
    private static final AtomicInteger NUMBER = new AtomicInteger();

    /** The largest number of commands that run between two calls of progress. */
    private static final int ROUND = 128;

    private final String name;
    private final IdleStrategy idleStrategy;
    private final @Nullable Consumer<? super Throwable> errorHandler;
    private final Duration closeTimeout;
    private final Duration warnAfter;
    private final LoopThread thread;

    private final int maxQueued;
    private final boolean rejectWhenFull;

    private final LoopQueue queue;
    private final LoopRoom room;
    private final PendingWork pending = new PendingWork();
    private final CompletableFuture<ProgressEngine> started = new CompletableFuture<>();

    /** True if the thread has found nothing to do, and may sleep: a thread that queues work then wakes it. */
    private volatile boolean idle;
    /** True if no more work is accepted. */
    private volatile boolean closed;
    /** True if no more work is done, not even queued work. */
    private volatile boolean over;

    private volatile long closeRequestNanos;
    private volatile @Nullable Throwable failure;
    private volatile @Nullable RuntimeException closeFailure;
    private final AtomicBoolean closeFailureThrown = new AtomicBoolean();

    private ProgressLoop(Builder builder) {
        name = builder.name == null ? "doca-progress-" + NUMBER.incrementAndGet() : builder.name;
        idleStrategy = builder.idleStrategy;
        errorHandler = builder.errorHandler;
        closeTimeout = builder.closeTimeout;
        warnAfter = builder.warnAfter;
        maxQueued = builder.maxQueued;
        rejectWhenFull = builder.rejectWhenFull;
        thread = new LoopThread(this::run, name, builder.daemon);
        queue = new LoopQueue(thread);
        room = new LoopRoom(maxQueued);
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
        return new Builder();
    }

    /** {@return the loop's thread} */
    public Thread thread() {
        return thread;
    }

    /**
     * Runs work on the loop's thread. Waits for room in the queue first if it is full. Any thread may call.
     *
     * @param <T> the type of the result
     * @param work to do, called once by the loop's thread
     * @return the future of the result, which fails with the exception that the work throws
     * @throws RejectedExecutionException if the loop is closed or has failed; if the queue is full and {@link
     *     Builder#rejectWhenFull} is set, or the caller is the thread of another loop; or if the thread is interrupted while it
     *     waits for room: then the cause is an {@link InterruptedException}, and the thread remains interrupted. The work is
     *     not done
     */
    public <T> CompletableFuture<T> call(LoopCall<T> work) {
        Objects.requireNonNull(work, "work");
        LoopCommand<T> command = new LoopCommand<>(thread) {
            @Override
            void execute() throws Exception {
                complete(work.call(started.join()));
            }
        };
        enqueue(command);
        return command;
    }

    /**
     * Runs work with a later result on the loop's thread, such as a copy. Waits for room in the queue first if it is full. Any
     * thread may call.
     *
     * @param <T> the type of the result
     * @param work called once by the loop's thread; returns the stage of the result, never null
     * @return the future of the stage's result, which fails as the stage does, or with the exception that the work throws
     * @throws RejectedExecutionException if the loop is closed or has failed; if the queue is full and {@link
     *     Builder#rejectWhenFull} is set, or the caller is the thread of another loop; or if the thread is interrupted while it
     *     waits for room: then the cause is an {@link InterruptedException}, and the thread remains interrupted. The work is
     *     not done
     */
    public <T> CompletableFuture<T> submit(Callable<? extends CompletionStage<T>> work) {
        LoopSubmission<T> submission = new LoopSubmission<>(this, Objects.requireNonNull(work, "work"));
        enqueue(submission);
        return submission;
    }

    /**
     * {@return a snapshot of what the loop has done since it was started, and does now} Any thread may call, also after close.
     */
    public EngineStats stats() {
        return EngineAccess.core(started.join()).stats(room.taken());
    }

    /**
     * Ends the loop. It accepts no more work, does the queued work, and progresses until the stages of {@link #submit} are
     * complete. Then it closes the graphs with their instances, the contexts that are attached to its engine, and the inventories
     * and pools that were created on its thread, the newest first, and destroys the engine. While it closes them, it polls with
     * {@link IdleStrategy#backoff()}.
     *
     * <p>Operations that are not complete after the close timeout are ended by closing their contexts. Runs of graphs are ended
     * before that, by stopping all contexts. Other stages that are not complete fail with an {@link IllegalStateException}. When
     * this returns or throws, every future of the loop is complete, unless its thread did not end. After the thread has ended, a further call does
     * nothing.
     *
     * @throws IllegalStateException if called by the loop's own thread; if its thread does not end in time; or if
     *     graphs, contexts, inventories or pools could not be closed, which the message names. All callers that wait for the end
     *     get the exception. These objects and the engine remain, and any thread can close them
     * @throws DocaException if a context did not stop in time, or the SDK refused
     */
    @Override
    public void close() {
        if (Thread.currentThread().equals(thread)) {
            throw new IllegalStateException(
                    "ProgressLoop \"" + name + "\" cannot be closed by its own thread, which would wait for itself");
        }
        StackGuard.checkToClose();
        boolean waits = thread.isAlive();
        requestClose();
        awaitEnd();
        RuntimeException thrown = closeFailure;
        if (thrown != null && (closeFailureThrown.compareAndSet(false, true) || waits)) {
            throw thrown;
        }
    }

    private synchronized void requestClose() {
        if (!closed) {
            closeRequestNanos = System.nanoTime();
            takeNoMore();
            started.join().wakeUp();
        }
    }

    private void takeNoMore() {
        closed = true;
        room.open();
    }

    private void enqueue(LoopCommand<?> command) {
        StackGuard.check();
        refuseWhenClosed();
        boolean isOwn = isOwnThread();
        if (isOwn) {
            room.acquireBeyondLimit();
        } else if (!room.tryEnter()) {
            awaitRoom();
            refuseWhenClosed();
        }
        queue.offer(command);
        // The order matters: the loop's thread sets idle, or over, before it reads the queue.
        if (over) {
            command.completeExceptionally(ended());
        } else if (idle && !isOwn) {
            // The first caller wakes it for all. If the thread sleeps again before that, the wake-up still ends its
            // sleep.
            idle = false;
            started.join().wakeUp();
        }
    }

    private void refuseWhenClosed() {
        if (closed) {
            throw new RejectedExecutionException(
                    failure == null
                            ? "ProgressLoop \"" + name + "\" is closed"
                            : "ProgressLoop \"" + name + "\" has failed",
                    failure);
        }
    }

    private void awaitRoom() {
        String full = "ProgressLoop \"" + name + "\" is full: it has as much work queued as its limit allows, which is "
                + maxQueued;
        if (rejectWhenFull) {
            throw new RejectedExecutionException(full);
        }
        if (Thread.currentThread() instanceof LoopThread other) {
            throw new RejectedExecutionException(full + ". The thread of ProgressLoop \"" + other.getName()
                    + "\" does not wait for room, as two loops could wait for each other for ever");
        }
        try {
            room.enter();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RejectedExecutionException(
                    "Interrupted while waiting for room in the queue of ProgressLoop \"" + name + "\", whose limit of "
                            + maxQueued + " is reached",
                    e);
        }
    }

    @SuppressWarnings("ReferenceEquality") // a thread is equal to itself only
    private boolean isOwnThread() {
        return Thread.currentThread() == thread;
    }

    /** Returns the pending submissions, for the loop's thread only. */
    PendingWork pending() {
        return pending;
    }

    /** Removes a submission whose stage is complete. Any thread may call. */
    void ended(LoopSubmission<?> submission) {
        if (isOwnThread()) {
            pending.remove(submission);
        } else {
            pending.removeLater(submission);
            started.join().wakeUp();
        }
    }

    /** Runs the loop from the creation of its engine to the end of its thread. */
    private void run() {
        ProgressEngine engine;
        try {
            engine = ProgressEngine.create();
        } catch (Throwable thrown) {
            started.completeExceptionally(thrown);
            return;
        }
        EngineCore core = EngineAccess.core(engine);
        core.reserveFor(name);
        started.complete(engine);
        try {
            if (errorHandler != null) {
                engine.errorHandler(errorHandler);
            }
            engine.warnAfter(warnAfter);
            engine.idleStrategy(idleStrategy);
            loop(
                    engine,
                    Objects.requireNonNull(
                            idleStrategy.forEngine(engine), "The idle strategy gave none for the engine"));
        } catch (Throwable thrown) {
            failure = thrown;
            takeNoMore();
            report(thrown);
        } finally {
            end(core, engine::close);
        }
    }

    private void report(Throwable thrown) {
        if (errorHandler != null) {
            try {
                errorHandler.accept(thrown);
                return;
            } catch (Throwable second) {
                if (!second.equals(thrown)) {
                    thrown.addSuppressed(second);
                }
            }
        }
        CallbackErrors.report(LOG, "ProgressLoop \"" + name + "\" failed and ends", thrown);
    }

    private void loop(ProgressEngine engine, IdleStrategy strategy) {
        EngineCore core = EngineAccess.core(engine);
        while (!isFinished()) {
            int work = runQueued(core) + engine.progress();
            if (work == 0 && !idle) {
                idle = true;
                // Threads that queued work until now did not wake this one.
                work = runQueued(core);
            }
            if (work > 0) {
                if (idle) {
                    idle = false;
                }
            } else if (Thread.interrupted()) {
                // An interrupt has no meaning here, and would keep the thread from sleeping.
                LOG.debug("ProgressLoop \"{}\" was interrupted and goes on", name);
            }
            strategy.idle(work);
        }
    }

    private boolean isFinished() {
        pending.sweep();
        if (!closed) {
            return false;
        }
        boolean late = System.nanoTime() - closeRequestNanos >= Deadlines.nanos(closeTimeout);
        return late || (queue.isEmpty() && pending.isEmpty());
    }

    /** Does a limited number of queued commands, since others may be queued all the time. */
    private int runQueued(EngineCore core) {
        int count = 0;
        while (count < ROUND) {
            LoopCommand<?> command = queue.poll();
            if (command == null) {
                break;
            }
            command.run();
            count++;
        }
        room.leave(count, core.waiting());
        return count;
    }

    /**
     * Closes the objects that the thread owns, and completes every future, even if something fails.
     *
     * @param destroy destroys the engine
     */
    private void end(EngineCore core, Runnable destroy) {
        try {
            // The user's strategy may have failed, or may fail now.
            core.idleStrategy(IdleStrategy.backoff());
            closeAll(core);
        } catch (Throwable thrown) {
            notClosed("ProgressLoop \"" + name + "\"", thrown);
        } finally {
            failRemaining();
        }
        core.reserveFor(null);
        if (closeFailure == null) {
            try {
                destroy.run();
            } catch (Throwable thrown) {
                notClosed("The progress engine of ProgressLoop \"" + name + "\"", thrown);
            }
        }
    }

    private void closeAll(EngineCore core) {
        long deadline = System.nanoTime() + Math.min(Deadlines.nanos(closeTimeout), Long.MAX_VALUE / 2);
        try {
            core.endRuns(left(deadline));
        } catch (Throwable thrown) {
            notClosed("A graph of ProgressLoop \"" + name + "\"", thrown);
        }
        core.openGraphs().forEach(this::close);
        for (EngineContext context : core.openContexts()) {
            close(context, left(deadline));
        }
        for (AutoCloseable owned : thread.owned()) {
            try {
                owned.close();
            } catch (Throwable thrown) {
                notClosed(owned.toString(), thrown);
            }
        }
    }

    private static long left(long deadline) {
        return Math.max(deadline - System.nanoTime(), 0);
    }

    private void close(GraphCore graph) {
        try {
            graph.close();
        } catch (Throwable thrown) {
            notClosed(graph.resource().description(), thrown);
        }
    }

    private void close(EngineContext context, long timeoutNanos) {
        try {
            context.close(timeoutNanos);
        } catch (Throwable thrown) {
            notClosed(context.description(), thrown);
            try {
                context.abandon(ended());
            } catch (Throwable further) {
                thrown.addSuppressed(further);
            }
        }
    }

    private void notClosed(String description, Throwable thrown) {
        RuntimeException first = closeFailure;
        if (first != null) {
            first.addSuppressed(thrown);
        } else if (thrown instanceof RuntimeException unchecked) {
            closeFailure = unchecked;
        } else {
            closeFailure = new IllegalStateException(description + " could not be closed", thrown);
        }
    }

    private void failRemaining() {
        over = true;
        while (!queue.isEmpty()) {
            LoopCommand<?> command = queue.poll();
            if (command == null) {
                // Another thread is just adding it.
                Thread.onSpinWait();
            } else {
                command.completeExceptionally(ended());
            }
        }
        pending.sweep();
        for (LoopSubmission<?> left = pending.takeAny(); left != null; left = pending.takeAny()) {
            left.completeExceptionally(ended());
        }
    }

    private IllegalStateException ended() {
        Throwable cause = failure;
        return new IllegalStateException(
                cause == null
                        ? "ProgressLoop \"" + name + "\" was closed before this was complete"
                        : "ProgressLoop \"" + name + "\" failed before this was complete",
                cause);
    }

    /** Waits for the thread to end, up to the close timeout and the time for the last steps. */
    private void awaitEnd() {
        long timeoutNanos = Math.min(Deadlines.nanos(closeTimeout), Long.MAX_VALUE / 4);
        if (joined(timeoutNanos)) {
            return;
        }
        // It may sleep until its stages are complete, and has to see that the time is up.
        started.join().wakeUp();
        if (!joined(timeoutNanos + LAST_STEPS_NANOS)) {
            IllegalStateException busy = new IllegalStateException(
                    "ProgressLoop \"" + name + "\" did not end in time: its thread is busy where the cause shows");
            Throwable where = new Throwable("Stack of thread \"" + name + "\"");
            where.setStackTrace(thread.getStackTrace());
            busy.initCause(where);
            throw busy;
        }
    }

    /** Waits for the thread to end; the caller stays interrupted if it is interrupted meanwhile. */
    private boolean joined(long nanos) {
        long start = System.nanoTime();
        boolean interrupted = false;
        try {
            while (thread.isAlive()) {
                long left = nanos - (System.nanoTime() - start);
                if (left <= 0) {
                    return false;
                }
                try {
                    thread.join(Duration.ofNanos(left));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            return true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns the name, and whether the loop is closed or has failed. */
    @Override
    public String toString() {
        String text = "ProgressLoop \"" + name + "\"";
        return failure != null ? text + ", failed" : closed ? text + ", closed" : text;
    }

    /** Configures a {@link ProgressLoop}. */
    public static final class Builder {

        private @Nullable String name;
        private boolean daemon = true;
        private IdleStrategy idleStrategy = IdleStrategy.eventDriven();
        private @Nullable Consumer<? super Throwable> errorHandler;
        private Duration closeTimeout = Duration.ofSeconds(10);
        private Duration warnAfter = EngineCore.WARN_AFTER;
        private int maxQueued = 4096;
        private boolean rejectWhenFull;

        private Builder() {}

        /**
         * Sets the name of the loop and of its thread.
         *
         * @param name if not set, "doca-progress-" and a number, which differs for each loop of the process
         * @return this builder
         */
        public Builder name(String name) {
            this.name = Objects.requireNonNull(name, "name");
            return this;
        }

        /**
         * Sets whether the thread is a daemon, which does not keep the JVM from exiting.
         *
         * @param daemon true if not set, so that a loop that was not closed does no harm
         * @return this builder
         */
        public Builder daemon(boolean daemon) {
            this.daemon = daemon;
            return this;
        }

        /**
         * Sets what the thread does between rounds without work.
         *
         * @param strategy used by its {@link IdleStrategy#forEngine}; {@link IdleStrategy#eventDriven()} if not set
         * @return this builder
         */
        public Builder idleStrategy(IdleStrategy strategy) {
            this.idleStrategy = Objects.requireNonNull(strategy, "strategy");
            return this;
        }

        /**
         * Sets the handler of exceptions that callbacks and listeners throw, see {@link ProgressEngine#errorHandler}, and of the
         * exception by which the loop itself fails.
         *
         * @param handler called by the loop's thread; if not set, exceptions are logged
         * @return this builder
         */
        public Builder errorHandler(Consumer<? super Throwable> handler) {
            this.errorHandler = Objects.requireNonNull(handler, "handler");
            return this;
        }

        /**
         * Sets when to warn of operations that do not complete; see {@link ProgressEngine#warnAfter}.
         *
         * @param time the time without a completion, 10 s if not set; 0 for never
         * @return this builder
         * @throws IllegalArgumentException if it is negative
         */
        public Builder warnAfter(Duration time) {
            this.warnAfter = ProgressEngine.checkWarnAfter(time);
            return this;
        }

        /**
         * Sets how long {@link ProgressLoop#close()} waits for stages to complete, and then again for contexts to stop.
         *
         * @param timeout 10 s if not set; with 0, contexts that do not stop in one round of progress are abandoned
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
         * Sets the largest number of commands in the queue, including operations that wait for free tasks; 4096 if not set.
         * Work that the loop has begun otherwise, such as copies in flight, does not count.
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
         * Sets whether a full queue rejects work at once by a {@link RejectedExecutionException} that names the limit.
         *
         * @param reject false if not set: the caller waits for room
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
            loop.thread.start();
            try {
                loop.started.join();
            } catch (CompletionException failed) {
                if (failed.getCause() instanceof RuntimeException cause) {
                    throw cause;
                }
                throw failed;
            }
            return loop;
        }

        /** Returns the name. */
        @Override
        public String toString() {
            return "ProgressLoop.Builder" + (name == null ? "" : " of \"" + name + "\"");
        }
    }
}
