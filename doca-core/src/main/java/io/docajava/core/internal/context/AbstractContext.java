/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.context;

import io.docajava.DocaException;
import io.docajava.core.DocaError;
import io.docajava.core.context.Context;
import io.docajava.core.context.ContextListener;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.ContextStats;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.device.Device;
import io.docajava.core.internal.engine.Activity;
import io.docajava.core.internal.engine.Deadlines;
import io.docajava.core.internal.engine.EngineContext;
import io.docajava.core.internal.engine.EngineImpl;
import io.docajava.core.internal.engine.EngineLoop;
import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.core.internal.operation.Operation;
import io.docajava.core.internal.operation.OperationPool;
import io.docajava.core.internal.operation.Operations;
import io.docajava.core.internal.operation.RangeBuffers;
import io.docajava.core.internal.operation.TaskFailures;
import io.docajava.core.internal.operation.TaskQueue;
import io.docajava.core.internal.operation.WaitingLine;
import io.docajava.core.internal.state.ContextBinding;
import io.docajava.core.internal.state.ContextLife;
import io.docajava.ffi.hot.TaskCalls;
import io.docajava.ffi.internal.StackGuard;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The base class of all contexts. It owns the {@link ContextLife}, the operations and the {@link TaskQueue}, and
 * connects them. Its engine delivers completions to it after progress. Only the engine's thread uses it, except where a
 * method says otherwise.
 */
public abstract class AbstractContext implements Context, EngineContext {

    /** The largest number of tasks in flight that a message lists. */
    private static final int TASKS_DESCRIBED = 5;

    private final Device device;
    private final ContextLife life;
    private final Operations operations;
    private final TaskFailures failures;
    private final TaskQueue queue;
    private final RangeBuffers ranges;
    private final long closeTimeoutNanos;
    /** Copy-on-write, as user code may open and close lines during an iteration. */
    private final List<WaitingLine> lines = new CopyOnWriteArrayList<>();

    /** Fails the futures that do not belong to an operation. */
    private Consumer<? super RuntimeException> abandonment = reason -> {};

    private boolean closeWhenIdle;

    private int index = -1;

    /**
     * Takes over a native object that was created and configured.
     *
     * @param description in error messages, such as "DMA context on 0000:03:00.0 (mlx5_0)"
     * @param pools its operations, one pool for each type
     * @param more further resources, besides the engine and the device, that must not be closed before the context
     */
    @SuppressWarnings("this-escape") // stored, and not used before the context is connected
    protected AbstractContext(
            String description,
            Device device,
            EngineImpl engine,
            ContextBinding binding,
            List<OperationPool> pools,
            Duration closeTimeout,
            Resource... more) {
        this.device = device;
        this.closeTimeoutNanos = Deadlines.nanos(closeTimeout);
        this.life = new ContextLife(this, description, device, engine, binding, more);
        try {
            this.operations = new Operations(life, pools);
            this.failures = new TaskFailures(life);
            this.queue = new TaskQueue(life, operations, failures);
            this.ranges = operations.attach(queue, closeTimeoutNanos);
        } catch (Throwable failure) {
            life.resource().discard();
            throw failure;
        }
    }

    /**
     * Returns the implementation of a context.
     *
     * @throws IllegalArgumentException if doca-java does not implement it
     */
    public static AbstractContext of(Context context) {
        if (context instanceof AbstractContext ours) {
            return ours;
        }
        throw new IllegalArgumentException(
                "doca-java does not implement " + context.getClass().getName());
    }

    /** Connects the context to its engine and starts it. If that fails, the native object is destroyed. */
    public final void connectAndStart() {
        try {
            boolean endsRounds = life.binding().endsRounds();
            index = engine().attach(this, operations::succeeded, nativeContext(), operations.size(), endsRounds);
            life.start(closeTimeoutNanos);
        } catch (Throwable failure) {
            // A listener may have closed it already.
            if (resource().beginClose()) {
                if (life.binding().discard() && index >= 0) {
                    engine().detach(index, operations.size());
                }
                queue.close();
                lines.forEach(WaitingLine::close);
                resource().endClose();
            }
            throw failure;
        }
    }

    @Override
    public final Device device() {
        return device;
    }

    @Override
    public final EngineImpl engine() {
        return life.engine();
    }

    @Override
    public final String description() {
        return life.description();
    }

    @Override
    public final long nativeContext() {
        return life.nativeContext();
    }

    @Override
    public final Resource resource() {
        return life.resource();
    }

    public final TaskQueue queue() {
        return queue;
    }

    @Override
    public final Activity activity() {
        return operations.activity();
    }

    @Override
    public final boolean isInTransition() {
        return life.isInTransition();
    }

    @Override
    public final boolean losesEventsWhenArmed() {
        return life.binding().losesEventsWhenArmed();
    }

    @Override
    public final int inFlight() {
        checkUsable();
        return countInFlight();
    }

    @Override
    public final int countInFlight() {
        queue.repair();
        return operations.inFlight();
    }

    @Override
    public final long oldestInFlight() {
        return operations.oldestInFlight();
    }

    @Override
    public final ContextStats stats() {
        engine().acquireRound();
        Activity activity = activity();
        return new ContextStats(
                activity.queued(),
                activity.inFlight(),
                activity.completed(),
                activity.failed(),
                activity.bytes(),
                activity.rebinds(),
                activity.age(oldestInFlight()));
    }

    @Override
    public final @Nullable String tick(long now, long limit) {
        activity().tick(now);
        if (activity().nanosToReport(now, limit) > 0) {
            return null;
        }
        Operation oldest = operations.oldestDue();
        if (oldest == null) {
            return null;
        }
        activity().setReported();
        return description() + ": no operation has completed for "
                + Deadlines.text(activity().quiet(now)) + ", with " + tasksInWords() + " in flight. The oldest is "
                + oldest.attempt()
                + (oldest.isInSeries() ? ", the first of a series of " + oldest.tasks() : "");
    }

    public final ContextLife life() {
        return life;
    }

    public final void checkThread() {
        life.checkThread();
    }

    public final void checkThreadToClose() {
        life.checkThreadToClose();
    }

    public final void checkUsable() {
        life.checkUsable();
    }

    public final void checkRunning() {
        life.checkRunning();
    }

    /**
     * Throws if the context is closed. Sufficient where the caller has checked the thread and the stack, and for work that the thread
     * of a loop runs: its stack is as deep as in each round of progress.
     */
    public final void checkOpen() {
        resource().checkOpen();
    }

    /** Throws if the context is not running. The caller has checked that it is usable. */
    public final void checkState() {
        life.checkState();
    }

    /**
     * Returns the loop that queues an operation, if another thread calls than that of the loop. Otherwise throws unless the context is
     * usable by the caller.
     */
    public final @Nullable EngineLoop loopOrCheck() {
        EngineLoop loop = engine().loopOfOthers();
        if (loop == null) {
            checkUsable();
        } else {
            StackGuard.check();
        }
        return loop;
    }

    /** Throws unless the context is running according to the SDK. */
    public final void checkRunningNow() {
        life.checkRunningNow();
    }

    /** Opens a line for operations that wait for free tasks. Each line keeps its own order. */
    public final WaitingLine openLine() {
        WaitingLine line = new WaitingLine(life, activity());
        lines.add(line);
        return line;
    }

    /** Closes a line in which nothing waits. */
    public final void closeLine(WaitingLine line) {
        lines.remove(line);
        line.close();
    }

    @Override
    public final void submitWaiting() {
        lines.forEach(WaitingLine::submit);
    }

    private void refuseWaiting(RuntimeException reason) {
        lines.forEach(line -> line.refuse(reason));
    }

    @Override
    public final void flushTasks() {
        queue.flushOrWait();
    }

    /**
     * Submits all deferred tasks. Called before an object that they need is destroyed. Tasks that the SDK
     * refuses fail.
     */
    public final void flushDeferred() {
        queue.flushForGood();
    }

    @Override
    public final void taskFailed(long userData, long nativeTask) {
        Operation operation = operations.inFlight(userData);
        Operation member = operation.member(nativeTask);
        int status = TaskCalls.status(member.task());
        if (status == DocaError.SUCCESS.code() && !operation.isInSeries()) {
            // A sync event that stops reports also the tasks that it has executed as failed.
            operations.succeeded(userData);
            return;
        }
        TaskFailedException failure = failures.completed(member, status);
        notifyListeners();
        // A series completes when all of its tasks have ended.
        if (operation.isInSeries()) {
            member.failedInSeries();
        } else {
            operations.markCompleted(operation);
        }
        operation.failed(failure);
    }

    /** Returns the failure of a lent task. The graph calls it after progress. */
    TaskFailedException lentTaskFailed(Operation operation, int status) {
        activity().failed(1);
        TaskFailedException failure = failures.completed(operation, status);
        notifyListeners();
        return failure;
    }

    /** Called when a lent task is no longer in flight. */
    void takeBack(Operation operation) {
        operations.markCompleted(operation);
        if (operations.inFlight() == 0) {
            notifyListeners();
        }
    }

    /**
     * Does the same as {@link #takeBack}, and frees the native task. Called if the status of the native task is
     * meaningless.
     */
    void takeBackAndFree(Operation operation) {
        operation.freeTask();
        takeBack(operation);
    }

    @Override
    public final void abandon(RuntimeException reason) {
        refuseWaiting(reason);
        operations.abandon(reason, engine().delivery()::report);
        abandonment.accept(reason);
    }

    /** Sets the action that fails the futures that do not belong to an operation, such as that of a connection. */
    public final void onAbandon(Consumer<? super RuntimeException> action) {
        abandonment = action;
    }

    @Override
    public final void event(int number, long object, long userData) {
        life.binding().event(number, object, userData);
    }

    @Override
    public final void stateChanged(int previous, int next) {
        stateChanged(ContextState.of(previous), ContextState.of(next));
    }

    private void stateChanged(ContextState previous, ContextState next) {
        if (previous == next) {
            life.binding().runs();
            return;
        }
        life.changed(next);
        if (!life.isRunning()) {
            endRun();
        }
        notifyListeners();
        life.report(next);
        // The SDK may report a stop before the failure that caused it.
        if (next != ContextState.STOPPING || !life.isCauseAwaited() || operations.inFlight() == 0) {
            notifyListeners();
        }
        if (closeWhenIdle && life.isIdleForAll()) {
            try {
                destroy();
            } catch (Throwable failure) {
                resource().cancelClose();
                throw failure;
            }
        }
    }

    /** Called when the context is stopping or has stopped. */
    private void endRun() {
        queue.end();
        operations.freeIdleTasks();
    }

    /** Notifies the listeners of the state that the SDK has reported, unless they were notified of it. */
    private void notifyListeners() {
        if (life.isNotificationPending()) {
            if (!life.isRunning() && !lines.stream().allMatch(WaitingLine::isEmpty)) {
                refuseWaiting(life.notRunning());
            }
            life.notifyListeners();
        }
    }

    @Override
    public final ContextState state() {
        return life.state();
    }

    @Override
    public final Optional<TaskFailedException> failure() {
        return Optional.ofNullable(life.cause().rootCause());
    }

    @Override
    public final void addListener(ContextListener listener) {
        Objects.requireNonNull(listener, "listener");
        checkUsable();
        life.addListener(listener);
    }

    @Override
    public final void removeListener(ContextListener listener) {
        Objects.requireNonNull(listener, "listener");
        checkUsable();
        life.removeListener(listener);
    }

    @Override
    public final void drain(Duration timeout) throws TimeoutException, InterruptedException {
        Objects.requireNonNull(timeout, "timeout");
        checkUsable();
        if (!engine().waits().progressUntil(() -> operations.inFlight() == 0, timeout)) {
            throw new TimeoutException(description() + ": " + tasksInWords() + " still in flight after "
                    + Deadlines.text(timeout) + inFlightTasks());
        }
    }

    @Override
    public void stop() {
        onItsThread("stopped", () -> {
            checkUsable();
            requestStop();
        });
    }

    /**
     * Runs work on the thread of the loop that owns the engine, if another thread calls; otherwise here. Waits for that thread with
     * the close timeout as the limit.
     *
     * @param purpose what would be done, for a refusal: {@code "stopped"}
     */
    public final void onItsThread(String purpose, Runnable work) {
        EngineLoop loop = engine().loopOfOthers();
        if (loop == null) {
            work.run();
        } else {
            loop.run(description() + " cannot be " + purpose, work, closeTimeoutNanos);
        }
    }

    /** Does the same for work with a result. */
    public final <T> T onItsThread(String purpose, Supplier<T> work) {
        AtomicReference<@Nullable T> result = new AtomicReference<>();
        onItsThread(purpose, () -> result.setPlain(work.get()));
        return Objects.requireNonNull(result.getPlain());
    }

    @Override
    public final void requestStop() {
        // A context that has stopped itself meanwhile keeps its cause.
        if (!life.requestStop()) {
            return;
        }
        endRun();
        if (!life.stop(operations.inFlight() > 0)) {
            // The SDK does not report it.
            engine().delivery().later(() -> {
                life.report(ContextState.STOPPING);
                notifyListeners();
            });
        }
        engine().delivery().runPending();
    }

    @Override
    public void restart() {
        onItsThread("restarted", this::restartHere);
    }

    private void restartHere() {
        checkUsable();
        life.checkRestartable();
        engine().refuseInUserNode("restart the " + description());
        ContextState state = life.state();
        if (state == ContextState.RUNNING || state == ContextState.STARTING) {
            throw new IllegalStateException(description() + " is " + life.stateInWords() + " already");
        }
        if (state == ContextState.STOPPING) {
            if (engine().delivery().isRunning()) {
                throw new IllegalStateException(description() + " is still stopping, with " + tasksInWords()
                        + " in flight: a callback cannot wait for that, but a state listener can restart it when it is"
                        + " idle");
            }
            awaitStopped("restart", closeTimeoutNanos);
            // Callbacks that ran meanwhile may have closed the context, or been the first to restart it.
            checkUsable();
            if (life.state() != ContextState.IDLE) {
                return;
            }
        }
        life.startAgain(closeTimeoutNanos);
    }

    /** Returns how long {@link #close()} waits for operations in flight. */
    public final long closeTimeoutNanos() {
        return closeTimeoutNanos;
    }

    @Override
    public final void close() {
        if (resource().state() == Resource.State.CLOSED) {
            return;
        }
        try {
            onItsThread("closed", () -> close(closeTimeoutNanos));
        } catch (RejectedExecutionException ended) {
            closeAfterLoop(ended);
        }
    }

    /** The loop closes its contexts when it ends. A context that it could not close belongs to any thread after that. */
    private void closeAfterLoop(RejectedExecutionException ended) {
        EngineLoop loop = engine().loopOfOthers();
        if (loop != null && !loop.awaitEnd(closeTimeoutNanos)) {
            throw ended;
        }
        if (resource().state() != Resource.State.CLOSED) {
            close(closeTimeoutNanos);
        }
    }

    @Override
    public final void close(long timeoutNanos) {
        if (resource().state() == Resource.State.CLOSED) {
            return;
        }
        life.checkThreadToCloseAll();
        engine().refuseInUserNode("close the " + description());
        if (!closeWhenIdle && !resource().beginClose()) {
            return;
        }
        boolean wasIdle = life.isIdleForAll();
        try {
            requestStop();
            // Listeners must be notified of the stop before the context is destroyed.
            if (engine().delivery().isRunning() && !wasIdle) {
                closeWhenIdle = true;
                return;
            }
            awaitStopped("close", timeoutNanos);
            if (resource().state() != Resource.State.CLOSED) {
                destroy();
            }
        } catch (Throwable failure) {
            closeWhenIdle = false;
            resource().cancelClose();
            throw failure;
        }
    }

    private void awaitStopped(String purpose, long timeoutNanos) {
        if (!engine().waits().progressUntil(() -> life.state() != ContextState.STOPPING, timeoutNanos)) {
            throw new DocaException(description() + " cannot " + purpose + ": it is " + life.stateInWords() + " with "
                    + tasksInWords() + " in flight after " + Deadlines.text(Duration.ofNanos(timeoutNanos))
                    + inFlightTasks());
        }
    }

    private String tasksInWords() {
        int tasks = operations.inFlight();
        return tasks == 1 ? "1 task" : tasks + " tasks";
    }

    /** Returns a description of the tasks in flight, for messages. */
    private String inFlightTasks() {
        if (operations.inFlight() == 0) {
            return "";
        }
        int more = Math.max(operations.inFlight() - TASKS_DESCRIBED, 0);
        return ": " + String.join("; ", operations.attemptsInFlight(TASKS_DESCRIBED))
                + (more == 0 ? "" : "; and " + more + " more");
    }

    private void destroy() {
        closeWhenIdle = false;
        operations.freeIdleTasks();
        ranges.close();
        life.destroyNativeOrThrow();
        engine().detach(index, operations.size());
        queue.close();
        lines.forEach(WaitingLine::close);
        resource().endClose();
    }

    /** Returns the kind of the context and the name of the device. Any thread may call. */
    @Override
    public final String toString() {
        return description();
    }
}
