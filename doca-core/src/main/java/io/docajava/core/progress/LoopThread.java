/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import io.docajava.core.internal.engine.Deadlines;
import io.docajava.core.internal.engine.EngineContext;
import io.docajava.core.internal.engine.EngineImpl;
import io.docajava.core.internal.engine.EngineLoop;
import io.docajava.core.internal.engine.GraphCore;
import io.docajava.core.internal.engine.LoopRoom;
import io.docajava.core.internal.engine.LoopRooms;
import io.docajava.core.internal.engine.LoopWait;
import io.docajava.core.internal.lifecycle.LeakReport;
import io.docajava.core.internal.lifecycle.OwningThread;
import io.docajava.core.internal.lifecycle.Undo;
import io.docajava.core.internal.log.SafeLog;
import io.docajava.core.internal.log.Throwables;
import io.docajava.ffi.internal.StackGuard;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread of a {@link ProgressLoop}: runs the queued commands, progresses the engine, and closes everything at the end. It
 * never waits for another loop without a time limit. Any thread may call the methods that queue commands and request the close;
 * {@link #run()} and the methods after it run on this thread.
 */
final class LoopThread extends Thread implements OwningThread, EngineLoop {

    /** The maximum number of commands that run between two calls of progress. */
    private static final int ROUND = 128;

    /** Names the loop in messages. */
    private final String title;

    private final IdleStrategy idleStrategy;
    private final @Nullable Consumer<? super Throwable> errorHandler;
    private final Duration warnAfter;
    private final long closeTimeoutNanos;

    private final LoopQueue queue = new LoopQueue(this);
    private final LoopRooms rooms;
    /** For all work but operations. */
    private final LoopRoom room;

    private final boolean rejectWhenFull;
    private final CompletableFuture<ProgressEngine> engine = new CompletableFuture<>();

    /** The open objects of this thread, in the order of creation. */
    private final Set<AutoCloseable> owned = Collections.synchronizedSet(new LinkedHashSet<>());

    private final @Nullable Throwable started;

    /** True if this thread has found nothing to do and may sleep. A thread that queues work then wakes it. */
    private volatile boolean idle;
    /** True if the loop accepts no more work. */
    private volatile boolean closed;
    /** True if the loop runs no more work, not even queued work. */
    private volatile boolean terminated;

    /** True if the last round has failed for lack of memory, which was reported then. */
    private boolean isMemoryShort;

    /** The number of operations that other threads have queued, and that have started and not ended on this thread. */
    private int startedOperations;
    /** The number of those that have ended on other threads, for example by a cancellation. */
    private final AtomicInteger endedElsewhere = new AtomicInteger();

    @SuppressWarnings("UnnecessaryLambda") // one object for all operations
    private final Runnable operationListener = this::operationEnded;

    private volatile long closeRequestNanos;
    private volatile @Nullable Throwable failure;
    private volatile @Nullable RuntimeException closeFailure;

    LoopThread(ProgressLoop.Builder builder, LoopRooms rooms) {
        super(builder.name == null ? "doca-progress-" + Global.NUMBER.incrementAndGet() : builder.name);
        setDaemon(builder.daemon);
        idleStrategy = builder.idleStrategy;
        errorHandler = builder.errorHandler;
        warnAfter = builder.warnAfter;
        closeTimeoutNanos = Deadlines.nanos(builder.closeTimeout);
        rejectWhenFull = builder.rejectWhenFull;
        title = "ProgressLoop \"" + getName() + "\"";
        this.rooms = rooms;
        room = rooms.add(title);
        started = LeakReport.trace("Here " + title + " was started");
    }

    /** Starts this thread, and waits until it has created its engine. */
    void startEngine() {
        start();
        LoopWait.join(engine);
    }

    ProgressEngine engine() {
        return engine.join();
    }

    String title() {
        return title;
    }

    long closeTimeoutNanos() {
        return closeTimeoutNanos;
    }

    /** Returns the first failure to close an object. The others are suppressed exceptions of it. */
    @Nullable
    RuntimeException closeFailure() {
        return closeFailure;
    }

    /** Returns the title, and whether the loop is closed or has failed. */
    String description() {
        return failure != null ? title + ", failed" : closed ? title + ", closed" : title;
    }

    @SuppressWarnings("ReferenceEquality") // a thread is equal to itself only
    boolean isCurrent() {
        return Thread.currentThread() == this;
    }

    /** Throws if the loop accepts no more work. */
    void refuseWhenClosed() {
        if (closed) {
            throw new RejectedExecutionException(title + (failure == null ? " is closed" : " has failed"), failure);
        }
    }

    @Override
    public LoopRoom addRoom(String owner) {
        return rooms.add(owner + " on " + title);
    }

    @Override
    public <T> Completion<T> enqueue(LoopRoom operations, OperationStart<T> start, Object first, Object second) {
        StackGuard.check();
        QueuedCompletion<T> operation = new QueuedCompletion<>(this, operations, start, first, second);
        enqueue(operation, operations);
        return operation;
    }

    @Override
    public void run(String attempt, Runnable work, long timeoutNanos) {
        LoopWait.refuseLoopThread(attempt);
        StackGuard.check();
        LoopVisit visit = new LoopVisit(this, work);
        refuseWhenClosed();
        // The caller waits for the end, so each thread queues one at most; a full queue must not prevent the close of a
        // context.
        room.takeBeyondLimit();
        offer(visit);
        visit.await(attempt, timeoutNanos);
    }

    @Override
    public boolean awaitEnd(long timeoutNanos) {
        return LoopWait.awaitEnd(this, timeoutNanos);
    }

    /**
     * Queues a command, and waits for room before.
     *
     * @throws RejectedExecutionException as {@link ProgressLoop#call} does
     */
    void enqueue(LoopNode command) {
        enqueue(command, room);
    }

    private void enqueue(LoopNode command, LoopRoom target) {
        refuseWhenClosed();
        if (isCurrent()) {
            target.takeBeyondLimit();
        } else if (!target.tryTake()) {
            awaitPlace(target);
            refuseWhenClosed();
        }
        offer(command);
    }

    private void awaitPlace(LoopRoom target) {
        String full = target.full();
        if (rejectWhenFull) {
            throw new RejectedExecutionException(full);
        }
        if (Thread.currentThread() instanceof LoopThread other) {
            throw new RejectedExecutionException(full + ". The thread of ProgressLoop \"" + other.getName()
                    + "\" does not wait for room, as two loops could wait for each other forever");
        }
        try {
            target.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RejectedExecutionException("Interrupted while waiting for room. " + full, e);
        }
    }

    /** Counts an operation that another thread has queued and this thread starts. The loop does not end before it. */
    void operationStarted(QueuedCompletion<?> operation) {
        startedOperations++;
        operation.listen(operationListener);
    }

    /** Called when an operation that another thread has queued has ended. */
    private void operationEnded() {
        if (isCurrent()) {
            startedOperations--;
        } else {
            endedElsewhere.incrementAndGet();
            engine().wakeUp();
        }
    }

    /** Queues a command, for which the caller has taken a place in the room. */
    void offer(LoopNode command) {
        queue.offer(command);
        // The order matters: this thread sets idle or terminated before it reads the queue.
        if (terminated) {
            command.completeExceptionally(notCompleted());
        } else if (idle && !isCurrent()) {
            // Only the first caller wakes this thread. If this thread goes to sleep again before that,
            // the wake-up still ends its sleep.
            idle = false;
            wakeUpOrStayIdle();
        }
    }

    /** Wakes this thread. If that fails, for example for lack of memory, the next caller wakes it. */
    private void wakeUpOrStayIdle() {
        boolean woken = false;
        try {
            engine().wakeUp();
            woken = true;
        } finally {
            if (!woken) {
                idle = true;
            }
        }
    }

    /** Requests that the loop end, unless that was requested before. Called by one thread at a time. */
    void requestClose() {
        if (!closed) {
            closeRequestNanos = System.nanoTime();
            stopAccepting();
        }
        // Also if an earlier request has failed to wake it.
        engine().wakeUp();
    }

    private void stopAccepting() {
        closed = true;
        rooms.end();
    }

    @Override
    public @Nullable Throwable started() {
        return started;
    }

    @Override
    public void own(AutoCloseable object) {
        owned.add(object);
    }

    @Override
    public void release(AutoCloseable object) {
        owned.remove(object);
    }

    /** Runs the loop from the creation of its engine to the end of this thread. */
    @Override
    public void run() {
        // Users have this thread, and this method is public.
        if (!isCurrent() || engine.isDone()) {
            throw new IllegalStateException(title + " is run only by its own thread, and only once");
        }
        ProgressEngine created;
        try {
            created = ProgressEngine.create();
        } catch (Throwable thrown) {
            engine.completeExceptionally(thrown);
            return;
        }
        EngineImpl core = EngineImpl.of(created);
        core.reserveFor(this);
        engine.complete(created);
        try {
            if (errorHandler != null) {
                created.errorHandler(errorHandler);
            }
            created.warnAfter(warnAfter);
            created.idleStrategy(idleStrategy);
            loop(
                    core,
                    Objects.requireNonNull(
                            idleStrategy.forEngine(created), "The idle strategy returned null for the engine"));
        } catch (Throwable thrown) {
            failure = thrown;
            stopAccepting();
            report(thrown);
        } finally {
            end(created);
        }
    }

    private void report(Throwable thrown) {
        if (errorHandler != null) {
            try {
                errorHandler.accept(thrown);
                return;
            } catch (Throwable second) {
                Throwables.suppress(thrown, second);
            }
        }
        SafeLog.callbackFailed(Global.LOG, title + " failed and ends", thrown);
    }

    private void loop(EngineImpl core, IdleStrategy strategy) {
        while (!isFinished(core)) {
            try {
                runRound(core, strategy);
                isMemoryShort = false;
            } catch (OutOfMemoryError e) {
                // The engine keeps what it could not deliver.
                if (!isMemoryShort) {
                    isMemoryShort = true;
                    core.delivery().report(e);
                }
                LockSupport.parkNanos(LoopFuture.MEMORY_PAUSE_NANOS);
            }
        }
    }

    private void runRound(EngineImpl core, IdleStrategy strategy) {
        int work = runQueued() + core.progress();
        // User code of this thread may have queued work during the progress, without waking this thread.
        if (work == 0 && (!idle || !queue.isEmpty())) {
            idle = true;
            // Threads that have queued work until now did not wake this thread.
            work = runQueued();
        }
        if (work > 0) {
            if (idle) {
                idle = false;
            }
        } else if (Thread.interrupted()) {
            // The loop ignores interrupts, which would prevent the thread from sleeping.
            SafeLog.write(() -> Global.LOG.debug("{} was interrupted and goes on", title));
            // An appender may have queued work, without waking this thread.
            return;
        }
        strategy.idle(work);
    }

    private boolean isFinished(EngineImpl core) {
        if (!closed) {
            return false;
        }
        boolean late = System.nanoTime() - closeRequestNanos >= closeTimeoutNanos;
        return late || (queue.isEmpty() && startedOperations == endedElsewhere.get() && !core.isAnyGraphRunning());
    }

    /** Runs a limited number of queued commands, since other threads may add commands continuously. */
    private int runQueued() {
        int count = 0;
        while (count < ROUND) {
            LoopNode command = queue.poll();
            if (command == null) {
                break;
            }
            command.run();
            (command instanceof QueuedCompletion<?> operation ? operation.room() : room).commandRun();
            count++;
        }
        rooms.update();
        return count;
    }

    /** Closes the objects that this thread owns, completes every future and destroys the engine, even after failures. */
    private void end(ProgressEngine created) {
        EngineImpl core = EngineImpl.of(created);
        try {
            closeAll(core);
        } finally {
            try {
                failRemaining();
            } finally {
                // After the end of this thread, any thread may use and close the objects that are still open.
                core.reserveFor(null);
            }
        }
        if (closeFailure == null) {
            try {
                created.close();
            } catch (Throwable thrown) {
                addCloseFailure("The progress engine of " + title, thrown);
            }
        }
        core.stages().close();
    }

    private void closeAll(EngineImpl core) {
        long deadline = System.nanoTime() + Math.min(closeTimeoutNanos, Long.MAX_VALUE / 2);
        // Until there is memory to close everything, or to say what is not closed.
        while (!isAllClosed(core, deadline)) {
            LockSupport.parkNanos(LoopFuture.MEMORY_PAUSE_NANOS);
        }
    }

    /** Returns false if memory is short, before the deadline. */
    private boolean isAllClosed(EngineImpl core, long deadline) {
        try {
            // The user's strategy may have failed, or may fail again.
            core.waits().setIdleStrategy(IdleStrategy.backoff());
            try {
                core.endRuns(left(deadline));
            } catch (Throwable thrown) {
                notClosed("A graph of " + title, thrown, deadline);
            }
            for (GraphCore graph : core.openGraphs()) {
                close(graph, deadline);
            }
            for (EngineContext context : core.openContexts()) {
                close(context, deadline);
            }
            for (AutoCloseable object : newestFirst()) {
                try {
                    object.close();
                } catch (Throwable thrown) {
                    notClosed(object.toString(), thrown, deadline);
                }
            }
        } catch (OutOfMemoryError e) {
            if (left(deadline) > 0) {
                return false;
            }
            addCloseFailure(title, e);
        } catch (Throwable thrown) {
            addCloseFailure(title, thrown);
        }
        return true;
    }

    private List<AutoCloseable> newestFirst() {
        synchronized (owned) {
            return new ArrayList<>(owned).reversed();
        }
    }

    private static long left(long deadline) {
        return Math.max(deadline - System.nanoTime(), 0);
    }

    private void close(GraphCore graph, long deadline) {
        try {
            graph.close();
        } catch (Throwable thrown) {
            notClosed(graph.resource().description(), thrown, deadline);
        }
    }

    private void close(EngineContext context, long deadline) {
        try {
            context.close(left(deadline));
        } catch (Throwable thrown) {
            notClosed(context.description(), thrown, deadline);
            Undo.after(thrown, () -> context.abandon(notCompleted()));
        }
    }

    /** Records the failure to close an object. Throws an {@link OutOfMemoryError} if there is time to try again. */
    private void notClosed(String description, Throwable thrown, long deadline) {
        if (thrown instanceof OutOfMemoryError memory && left(deadline) > 0) {
            throw memory;
        }
        addCloseFailure(description, thrown);
    }

    private void addCloseFailure(String description, Throwable thrown) {
        RuntimeException first = closeFailure;
        if (first != null) {
            Throwables.suppress(first, thrown);
        } else if (thrown instanceof RuntimeException unchecked) {
            closeFailure = unchecked;
        } else {
            closeFailure = new IllegalStateException(description + " could not be closed", thrown);
        }
    }

    private void failRemaining() {
        terminated = true;
        while (!queue.isEmpty()) {
            LoopNode command = queue.poll();
            if (command == null) {
                // Another thread is just adding it.
                Thread.onSpinWait();
            } else {
                giveUp(command);
            }
        }
    }

    /** Fails a future that the loop does not complete. Waits until there is memory for the exception. */
    private void giveUp(LoopNode left) {
        while (!left.isDone()) {
            try {
                LoopFuture.fail(left, notCompleted());
            } catch (OutOfMemoryError e) {
                LockSupport.parkNanos(LoopFuture.MEMORY_PAUSE_NANOS);
            }
        }
    }

    private IllegalStateException notCompleted() {
        Throwable cause = failure;
        return new IllegalStateException(
                title + (cause == null ? " was closed" : " failed") + " before this was complete", cause);
    }

    /** The state of all loops. A loop checks the stack before it initializes this class. */
    private static final class Global {

        static final Logger LOG = LoggerFactory.getLogger(ProgressLoop.class);

        /** The number of the last loop that was created without a name. */
        static final AtomicInteger NUMBER = new AtomicInteger();
    }
}
