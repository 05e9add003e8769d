/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import io.docajava.core.DocaException;
import io.docajava.core.internal.context.ContextCore;
import io.docajava.core.internal.context.Deadlines;
import io.docajava.core.internal.context.EngineAccess;
import io.docajava.core.internal.context.EngineCore;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread with an engine of its own, which progresses all the time and takes work from any thread, virtual ones too.
 *
 * {@snippet :
 * try (ProgressLoop loop = ProgressLoop.start()) {
 *     DmaContext dma = loop.call(engine -> DmaContext.builder(device).start(engine)).join();
 *     long bytes = loop.submit(() -> dma.copy(source, target)).join();
 * }
 * }
 *
 * <p>What is made on the loop belongs to its thread: contexts, their tasks, buffers and inventories are created, used
 * and closed inside of {@link #call} and {@link #submit}. Their futures complete on that thread, so dependent stages
 * without an executor run there and must not block; waiting there for such a future is refused with an
 * {@link IllegalStateException}. When the thread has ended, what is left of that, such as inventories, belongs to the
 * first thread that uses it.
 *
 * <p>The loop queues work without a limit, but a context has only as many tasks as it was given: a submission that finds
 * none free fails, which its future tells. So submitters limit what they have under way, for example by a
 * {@link java.util.concurrent.Semaphore}.
 *
 * <p>A future that is cancelled before its work has begun keeps it from being done.
 *
 * <p>If the loop fails, which only an idle strategy that throws or a defect can bring about, it logs that, closes its
 * contexts, fails all futures that are not done, and rejects further work with the failure as the cause.
 */
public final class ProgressLoop implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ProgressLoop.class);

    /** What the thread needs, after its contexts had their time to close, to end. */
    private static final long LAST_STEPS_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final String name;
    private final IdleStrategy idleStrategy;
    private final @Nullable Consumer<? super Throwable> errorHandler;
    private final Duration closeTimeout;
    private final Thread thread;

    private final LoopQueue queue = new LoopQueue();
    private final CompletableFuture<ProgressEngine> started = new CompletableFuture<>();
    /** Futures of {@link #submit} whose stage is not complete. */
    private final Set<LoopFuture<?>> stages = ConcurrentHashMap.newKeySet();

    private volatile long closeRequestNanos;
    private volatile @Nullable Throwable failure;
    private volatile @Nullable RuntimeException closeFailure;
    private final AtomicBoolean closeFailureTold = new AtomicBoolean();

    private ProgressLoop(Builder builder) {
        name = builder.name;
        idleStrategy = builder.idleStrategy;
        errorHandler = builder.errorHandler;
        closeTimeout = builder.closeTimeout;
        thread = Thread.ofPlatform().name(name).daemon(builder.daemon).unstarted(this::run);
    }

    /**
     * Starts a loop with the defaults of {@link Builder}.
     *
     * @throws DocaException if its engine cannot be created
     */
    public static ProgressLoop start() {
        return builder().start();
    }

    /** Configures a loop. */
    public static Builder builder() {
        return new Builder();
    }

    /** The loop's thread. */
    public Thread thread() {
        return thread;
    }

    /**
     * Runs something on the loop's thread.
     *
     * @return its result, or what it threw
     * @throws RejectedExecutionException if the loop is closed or has failed
     */
    public <T> CompletableFuture<T> call(LoopCall<T> work) {
        Objects.requireNonNull(work, "work");
        LoopFuture<T> future = new LoopFuture<>(thread);
        enqueue(new LoopCommand(future) {
            @Override
            void execute() throws Exception {
                future.complete(work.call(started.join()));
            }
        });
        return future;
    }

    /**
     * Runs something on the loop's thread that leads to a result later, such as a copy.
     *
     * @return the result of the stage that the work returns, or what it threw
     * @throws RejectedExecutionException if the loop is closed or has failed
     */
    public <T> CompletableFuture<T> submit(Callable<? extends CompletionStage<T>> work) {
        Objects.requireNonNull(work, "work");
        LoopFuture<T> future = new LoopFuture<>(thread);
        enqueue(new LoopCommand(future) {
            @Override
            void execute() throws Exception {
                CompletionStage<T> stage = Objects.requireNonNull(work.call(), "The work gave no stage to wait for");
                stages.add(future);
                try {
                    stage.whenComplete((result, thrown) -> {
                        stages.remove(future);
                        future.end(result, thrown);
                        wakeUp();
                    });
                } catch (Throwable thrown) {
                    stages.remove(future);
                    throw thrown;
                }
            }
        });
        return future;
    }

    /**
     * Ends the loop: takes no more work, does what is queued, progresses until the stages of {@link #submit} are
     * complete, closes the contexts that are attached to its engine, as no other thread could, and destroys the engine.
     * What is not complete after the close timeout is ended by closing its context, or else fails with an
     * {@link IllegalStateException}. When the thread has ended, a further call does nothing.
     *
     * @throws IllegalStateException if called by the loop's own thread; if its thread does not end in time; or if
     *     contexts could not be closed, which the message names: all who wait for the end learn of them. They and the
     *     engine remain, and can be closed by any thread
     * @throws DocaException instead, if it was the SDK that refused
     */
    @Override
    public void close() {
        if (Thread.currentThread().equals(thread)) {
            throw new IllegalStateException(
                    "ProgressLoop \"" + name + "\" cannot be closed by its own thread, which would wait for itself");
        }
        boolean waits = thread.isAlive();
        requestClose();
        awaitEnd();
        RuntimeException thrown = closeFailure;
        if (thrown != null && (closeFailureTold.compareAndSet(false, true) || waits)) {
            throw thrown;
        }
    }

    private synchronized void requestClose() {
        if (!queue.isClosed()) {
            closeRequestNanos = System.nanoTime();
            queue.close();
            wakeUp();
        }
    }

    private void enqueue(LoopCommand command) {
        if (!queue.offer(command)) {
            throw new RejectedExecutionException(
                    failure == null
                            ? "ProgressLoop \"" + name + "\" is closed"
                            : "ProgressLoop \"" + name + "\" has failed",
                    failure);
        }
        wakeUp();
    }

    /** Has the thread look at the queue and the stages. It does so anyway after whatever it does itself. */
    private void wakeUp() {
        if (!Thread.currentThread().equals(thread)) {
            started.join().wakeUp();
        }
    }

    /** The life of the thread. */
    private void run() {
        ProgressEngine engine;
        try {
            engine = ProgressEngine.create();
        } catch (Throwable thrown) {
            started.completeExceptionally(thrown);
            return;
        }
        EngineAccess.core(engine).reserveFor(name);
        started.complete(engine);
        try {
            if (errorHandler != null) {
                engine.errorHandler(errorHandler);
            }
            engine.idleStrategy(idleStrategy);
            loop(
                    engine,
                    Objects.requireNonNull(
                            idleStrategy.forEngine(engine), "The idle strategy gave none for the engine"));
        } catch (Throwable thrown) {
            LOG.error("ProgressLoop \"{}\" failed and ends", name, thrown);
            failure = thrown;
            queue.close();
        }
        end(engine);
    }

    private void loop(ProgressEngine engine, IdleStrategy idle) {
        while (!isFinished()) {
            int work = runQueued() + engine.progress();
            // An interrupt has no meaning here, and would keep the thread from sleeping.
            if (work == 0 && Thread.interrupted()) {
                LOG.debug("ProgressLoop \"{}\" was interrupted and goes on", name);
            }
            idle.idle(work);
        }
    }

    private boolean isFinished() {
        if (!queue.isClosed()) {
            return false;
        }
        boolean late = System.nanoTime() - closeRequestNanos >= Deadlines.nanos(closeTimeout);
        return late || (queue.size() == 0 && stages.isEmpty());
    }

    /** Does what was queued when the round began; more may come in all the time. */
    private int runQueued() {
        int count = queue.size();
        for (int i = 0; i < count; i++) {
            LoopCommand command = queue.poll();
            if (command != null) {
                command.run();
            }
        }
        return count;
    }

    /** Closes what the thread owns, and leaves no future undone. */
    private void end(ProgressEngine engine) {
        EngineCore core = EngineAccess.core(engine);
        if (failure != null) {
            // What failed may be the strategy, which is needed for closing as well.
            core.idleStrategy(IdleStrategy.yielding());
        }
        long deadline = System.nanoTime() + Math.min(Deadlines.nanos(closeTimeout), Long.MAX_VALUE / 2);
        for (ContextCore context : core.openContexts()) {
            close(context, Math.max(deadline - System.nanoTime(), 0));
        }
        failRemaining();
        core.reserveFor(null);
        if (closeFailure == null) {
            engine.close();
        }
    }

    private void close(ContextCore context, long timeoutNanos) {
        try {
            context.close(timeoutNanos);
        } catch (Throwable thrown) {
            RuntimeException first = closeFailure;
            if (first != null) {
                first.addSuppressed(thrown);
            } else if (thrown instanceof RuntimeException unchecked) {
                closeFailure = unchecked;
            } else {
                closeFailure = new IllegalStateException(context.description() + " could not be closed", thrown);
            }
            context.abandon(ended());
        }
    }

    private void failRemaining() {
        for (LoopCommand command = queue.poll(); command != null; command = queue.poll()) {
            command.future().completeExceptionally(ended());
        }
        for (LoopFuture<?> future : stages) {
            future.completeExceptionally(ended());
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

    /** Waits for the thread to end, as long as it may take. */
    private void awaitEnd() {
        long timeoutNanos = Math.min(Deadlines.nanos(closeTimeout), Long.MAX_VALUE / 4);
        if (joined(timeoutNanos)) {
            return;
        }
        // Perhaps it sleeps until its stages are complete, and has to be told the time.
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

    /** Waits for the thread to end; an interrupt meanwhile is kept for the caller. */
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

    /** Configures a {@link ProgressLoop}. */
    public static final class Builder {

        private String name = "doca-progress";
        private boolean daemon = true;
        private IdleStrategy idleStrategy = IdleStrategy.eventDriven();
        private @Nullable Consumer<? super Throwable> errorHandler;
        private Duration closeTimeout = Duration.ofSeconds(10);

        private Builder() {}

        /** The name of the thread; "doca-progress" if not set. */
        public Builder name(String name) {
            this.name = Objects.requireNonNull(name, "name");
            return this;
        }

        /**
         * Whether the thread is a daemon, which does not keep the JVM from exiting; true if not set, so that a
         * forgotten loop does no harm.
         */
        public Builder daemon(boolean daemon) {
            this.daemon = daemon;
            return this;
        }

        /** What the thread does between rounds without work; {@link IdleStrategy#eventDriven()} if not set. */
        public Builder idleStrategy(IdleStrategy strategy) {
            this.idleStrategy = Objects.requireNonNull(strategy, "strategy");
            return this;
        }

        /** Who learns what callbacks and listeners throw; see {@link ProgressEngine#errorHandler}. */
        public Builder errorHandler(Consumer<? super Throwable> handler) {
            this.errorHandler = Objects.requireNonNull(handler, "handler");
            return this;
        }

        /**
         * How long {@link ProgressLoop#close()} waits for what is under way, and then again for contexts to stop; 10 s
         * if not set. With 0, contexts get one round of progress, and what that does not end is given up.
         *
         * @throws IllegalArgumentException if it is negative
         */
        public Builder closeTimeout(Duration timeout) {
            if (timeout.isNegative()) {
                throw new IllegalArgumentException("The close timeout must not be negative: " + timeout);
            }
            this.closeTimeout = timeout;
            return this;
        }

        /**
         * Starts the loop's thread, and returns when its engine is there.
         *
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
    }
}
