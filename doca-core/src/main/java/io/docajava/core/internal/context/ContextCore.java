/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.context;

import io.docajava.DocaException;
import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.Batch;
import io.docajava.core.context.Context;
import io.docajava.core.context.ContextListener;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.ContextStats;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskFailedException.Reason;
import io.docajava.core.device.Device;
import io.docajava.core.internal.Handles;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.jfr.Jfr;
import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.hot.TaskCalls;
import io.docajava.ffi.internal.StackGuard;
import io.docajava.ffi.submission.TaskCommands;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The common part of every context: its states, its tasks in flight, and the way to its end. Used by one thread, that
 * of the engine.
 *
 * <p>The SDK lets a context become idle only when all its tasks are freed. So the native tasks that slots keep for
 * reuse are freed when the context leaves the running state, those in flight as they complete; slots allocate them anew
 * after a restart.
 */
public final class ContextCore {

    /** The largest number of tasks in flight that a message describes. */
    private static final int TASKS_DESCRIBED = 5;

    private final Context context;
    private final EngineCore engine;
    private final ContextBinding binding;
    private final Operations tasks;
    private final Resource resource;
    private final long closeTimeoutNanos;
    private final CopyOnWriteArrayList<ContextListener> listeners = new CopyOnWriteArrayList<>();

    private volatile ContextState state = ContextState.IDLE;
    /** The last state that listeners were notified of, or are about to be: the state may be ahead of it. */
    private ContextState delivered = ContextState.IDLE;

    private final Activity activity = new Activity();
    private final StopCause cause = new StopCause();
    private final Submissions submissions;
    /** The code of users may open and close some while all are gone through. */
    private final List<WaitingLine> lines = new CopyOnWriteArrayList<>();

    private List<String> startReasons = List.of();

    private boolean closeWhenIdle;
    /** The state before a stop that listeners have not been told of yet, as its cause is about to come. */
    private @Nullable ContextState deferredTransition;

    /** True while the SDK has refused a stop because of tasks in flight; the stop is repeated when they have completed. */
    private boolean stopIsDeferred;

    private int index = -1;

    /**
     * Takes over a created and configured object of a library and connects it to an engine.
     *
     * @param context the public face, as listeners see it
     * @param description in error messages, such as "DMA context on 0000:03:00.0 (mlx5_0)"
     * @param pools its operations, of each type
     * @param more what must not be closed before it, beside the engine and the device
     */
    public ContextCore(
            Context context,
            String description,
            Device device,
            EngineCore engine,
            ContextBinding binding,
            List<OperationPool> pools,
            Duration closeTimeout,
            Resource... more) {
        this.context = context;
        this.engine = engine;
        this.binding = binding;
        this.tasks = new Operations(pools);
        this.closeTimeoutNanos = Deadlines.nanos(closeTimeout);
        this.resource = Resource.open(context, description, parents(engine.resource(), Handles.resource(device), more));
        try {
            this.submissions = new Submissions(this, tasks.size());
            pools.forEach(pool -> pool.attach(this));
        } catch (Throwable failure) {
            resource.discard();
            throw failure;
        }
    }

    private static Resource[] parents(Resource engine, Resource device, Resource... more) {
        return Stream.concat(Stream.of(engine, device), Stream.of(more)).toArray(Resource[]::new);
    }

    /** Connects the context to its engine and starts it. If that fails, the object is destroyed. */
    public void connectAndStart() {
        try {
            index = engine.attach(this, nativeContext(), tasks.size());
            start();
        } catch (Throwable failure) {
            // A listener may have closed it already.
            if (resource.beginClose()) {
                if (binding.destroy() == DocaError.SUCCESS.code() && index >= 0) {
                    engine.detach(index, tasks.size());
                }
                submissions.close();
                resource.endClose();
            }
            throw failure;
        }
    }

    public EngineCore engine() {
        return engine;
    }

    public String description() {
        return resource.description();
    }

    /** May be called by any thread. */
    public ContextState state() {
        return state;
    }

    /** The state that the SDK says it is in, of which listeners may not have been told. */
    public ContextState stateNow() {
        refreshState();
        return state;
    }

    /** Returns whether the context is not running because it was told to stop. */
    public boolean isStopRequested() {
        return cause.isRequested();
    }

    /** Returns the errors that the SDK logged during the last start, which may fail later. */
    public List<String> startReasons() {
        return startReasons;
    }

    /** Returns the failure that stopped the context, if one did. May be called by any thread. */
    public Optional<TaskFailedException> failure() {
        return Optional.ofNullable(cause.rootCause());
    }

    /** Returns the number of tasks in flight. */
    public int inFlight() {
        checkUsable();
        return activity.inFlight();
    }

    int tasksInFlight() {
        return activity.inFlight();
    }

    /** Returns what the context has done, and does. Any thread may call. */
    public ContextStats stats() {
        return activity.stats(tasks.oldestInFlight());
    }

    /**
     * Takes note of the time.
     *
     * @param limit how long operations may be in flight without that one completes, in nanoseconds
     * @return a warning if that has been so for longer, and was not returned before
     */
    @Nullable
    String tick(long now, long limit) {
        activity.tick(now);
        if (activity.nanosToReport(now, limit) > 0) {
            return null;
        }
        Operation oldest = tasks.oldestDue();
        if (oldest == null) {
            return null;
        }
        activity.setReported();
        return description() + ": no operation has completed for " + Deadlines.text(activity.quiet(now)) + ", with "
                + counted(activity.inFlight()) + " in flight. The oldest is " + oldest.attempt()
                + (oldest.isInSeries() ? ", the first of a series of " + oldest.tasks() : "");
    }

    /** Counts what the context does. */
    Activity activity() {
        return activity;
    }

    /** Adds to the number of operations that wait for free tasks. */
    void addWaiting(int more) {
        activity.addQueued(more);
        engine.addWaiting(more);
    }

    public void addListener(ContextListener listener) {
        checkUsable();
        listeners.addIfAbsent(Objects.requireNonNull(listener, "listener"));
    }

    public void removeListener(ContextListener listener) {
        checkUsable();
        listeners.remove(listener);
    }

    /** Refuses calls by other threads, and those for which the stack has no room. */
    public void checkThread() {
        StackGuard.check();
        engine.owner().check(resource);
    }

    /** {@link #checkThread()}, for calls that close something. */
    public void checkThreadToClose() {
        StackGuard.checkToClose();
        engine.owner().check(resource);
    }

    /** Refuses calls by other threads and after close. */
    public void checkUsable() {
        checkThread();
        resource.checkOpen();
    }

    /** Refuses what only a running context can do, and says why this one is not. */
    public void checkRunning() {
        checkUsable();
        if (state != ContextState.RUNNING) {
            throw notRunning();
        }
    }

    /** As {@link #checkRunning()}, by what the SDK says now: it may have ended what belonged to the run that is over. */
    public void checkRunningNow() {
        checkUsable();
        refreshState();
        checkRunning();
    }

    /** Returns whether an operation can be submitted: a quick answer, for which {@link #checkRunning()} has the reason. */
    boolean canSubmit() {
        StackGuard.check();
        return engine.owner().isCurrent() && resource.state() == Resource.State.OPEN && state == ContextState.RUNNING;
    }

    /**
     * Begins the submission of a slot's task: what prepares the native task is added to these commands, and then the
     * submission by {@link #submit} or {@link #submitInBatch}, or else all is taken back by {@link #drop}.
     *
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses what is held back and has to go first
     */
    public TaskCommands prepare(Operation slot, boolean batched) {
        return submissions.prepare(slot, batched || engine.isOfLoop());
    }

    /** As {@link #prepare}, for a task that is not submitted by this context: all that is held back is submitted before it. */
    public TaskCommands prepareAlone(Operation slot) {
        return submissions.prepare(slot, false);
    }

    /** Lets the SDK know the data segments of a list that the task being prepared writes to, before it does. */
    public void updateDestination(BufElement list, Operation slot) {
        submissions.updateDestination(list, slot);
    }

    /** Lets the SDK know the data segments of a list at once. */
    public void updateNow(BufElement list, Operation slot) {
        submissions.updateNow(list, slot);
    }

    /** Lets the SDK have another data segment of one element than Java has, at once. */
    public void updateNow(BufElement element, long data, long length, Operation slot) {
        submissions.updateNow(element, data, length, slot);
    }

    /** Takes the commands of a slot back that {@link #prepare} has begun. */
    public void drop() {
        submissions.drop();
    }

    /** Opens a line for what waits for tasks; each keeps its own order. */
    public WaitingLine openLine() {
        WaitingLine line = new WaitingLine(this);
        lines.add(line);
        return line;
    }

    /** Closes a line in which nothing waits. */
    public void closeLine(WaitingLine line) {
        lines.remove(line);
    }

    void submitWaiting() {
        lines.forEach(WaitingLine::submit);
    }

    /** Why a task of a table cannot be had. */
    public ResourceExhaustedException noFreeTask(OperationPool pool) {
        return new ResourceExhaustedException(description() + " has no free " + pool.kind() + ": all " + pool.size()
                + " are in use; progress until one completes, or ask for more by " + pool.setting());
    }

    private void refuseWaiting(RuntimeException reason) {
        lines.forEach(line -> line.refuse(reason));
    }

    /** Submits the native task of a slot. When this throws, the slot is not in flight. */
    public void submit(Operation slot) {
        if (engine.isOfLoop()) {
            submissions.submitInBatch(slot);
        } else {
            submissions.submit(slot);
        }
    }

    /** The same for a task of the open batch, which may be held back until the next one. */
    public void submitInBatch(Operation slot) {
        submissions.submitInBatch(slot);
    }

    /** The same for a task that needs no other preparation than that the data segment of a buffer is emptied. */
    public void submitInBatchAfterReset(Operation slot, BufElement buf) {
        submissions.submitInBatchAfterReset(slot, buf);
    }

    /**
     * Makes the commands that {@link #prepareAlone} has begun, for a task that a graph submits. It is in flight until {@link
     * #giveBack} or {@link #discard}. When this throws, it is not.
     */
    public void lend(Operation slot) {
        submissions.lend(slot);
    }

    /** Why a lent task has failed; the graph calls after progress. */
    public TaskFailedException lentTaskFailed(Operation slot, int status) {
        activity.failed(1);
        return failure(slot, status);
    }

    /** A lent task is in flight no more. */
    public void giveBack(Operation slot) {
        completed(slot);
        if (activity.inFlight() == 0) {
            notifyDeferredTransition();
        }
    }

    /** The same for one whose native task has a status that says nothing, and so is not used again. */
    public void discard(Operation slot) {
        slot.freeTask();
        giveBack(slot);
    }

    /** The life of the context. */
    Resource resource() {
        return resource;
    }

    /** Returns whether it stands behind this public face. */
    boolean isOf(Context other) {
        return context.equals(other);
    }

    /**
     * Opens a batch.
     *
     * @param fewReports whether the device may report some tasks only when it reports a later one
     * @throws IllegalStateException if another batch is open
     * @throws ContextNotRunningException if the context is not running
     */
    public Batch openBatch(boolean fewReports) {
        checkRunning();
        Batch batch = new Batch() {
            @Override
            public void close() {
                checkThreadToClose();
                submissions.close(this);
            }

            @Override
            public String toString() {
                return "Batch of the " + context;
            }
        };
        submissions.open(batch, fewReports);
        return batch;
    }

    /** Returns whether an operation that is submitted now becomes part of a batch. */
    boolean isBatchOpen() {
        return submissions.isBatchOpen();
    }

    Operation slot(int number) {
        return tasks.get(number);
    }

    void flushBatch() {
        submissions.flushOrWait();
    }

    void markSubmitted(Operation slot) {
        slot.markSubmitted(engine.clock());
        activity.markSubmitted(slot.tasks(), slot.isDue());
    }

    /** Submits the native task of an operation at once, after all that is held back, on the engine of a loop as well. */
    void submitAlone(Operation operation) {
        submissions.submit(operation);
    }

    boolean isRunning() {
        return state == ContextState.RUNNING;
    }

    /**
     * Why a slot's task could not be allocated or submitted. A context that has stopped meanwhile explains more than
     * the code that the SDK gave.
     */
    public DocaException refused(int result, String function, Operation slot) {
        DocaCallException refusal = Calls.failure(result, function, slot.attempt());
        if (result == DocaError.BAD_STATE.code()) {
            refreshState();
            if (state != ContextState.RUNNING) {
                ContextNotRunningException failure = notRunning();
                failure.addSuppressed(refusal);
                return failure;
            }
        }
        return refusal;
    }

    public void drain(Duration timeout) throws TimeoutException, InterruptedException {
        checkUsable();
        if (!engine.progressUntil(() -> activity.inFlight() == 0, timeout)) {
            throw new TimeoutException(description() + ": " + counted(activity.inFlight()) + " still in flight after "
                    + Deadlines.text(timeout) + inFlightTasks());
        }
    }

    public void stop() {
        checkUsable();
        requestStop();
    }

    public void restart() {
        checkUsable();
        engine.refuseInUserNode("restart the " + description());
        if (state == ContextState.RUNNING || state == ContextState.STARTING) {
            throw new IllegalStateException(description() + " is " + lowerCase(state) + " already");
        }
        if (state == ContextState.STOPPING) {
            if (engine.isDelivering()) {
                throw new IllegalStateException(
                        description() + " is still stopping, with " + counted(activity.inFlight())
                                + " in flight: a callback cannot wait for that, but a state listener can restart it when it is"
                                + " idle");
            }
            awaitStopped("restart", closeTimeoutNanos);
            // Callbacks that ran meanwhile may have closed the context, or been the first to restart it.
            checkUsable();
            if (state != ContextState.IDLE) {
                return;
            }
        }
        StopCause before = cause.copy();
        cause.forget();
        try {
            start();
        } catch (Throwable failure) {
            if (state == ContextState.IDLE) {
                cause.restore(before);
            }
            throw failure;
        }
    }

    /** Returns how long {@link #close()} waits for operations in flight. */
    public long closeTimeoutNanos() {
        return closeTimeoutNanos;
    }

    public void close() {
        close(closeTimeoutNanos);
    }

    /** Closes within another time than the context's own. */
    public void close(long timeoutNanos) {
        if (resource.state() == Resource.State.CLOSED) {
            return;
        }
        checkThreadToClose();
        engine.refuseInUserNode("close the " + description());
        if (!closeWhenIdle && !resource.beginClose()) {
            return;
        }
        boolean isOver = state == ContextState.IDLE && delivered == ContextState.IDLE;
        try {
            requestStop();
            // Listeners are to learn of the stop before the context is gone.
            if (engine.isDelivering() && !isOver) {
                closeWhenIdle = true;
                return;
            }
            awaitStopped("close", timeoutNanos);
            if (resource.state() != Resource.State.CLOSED) {
                destroy();
            }
        } catch (Throwable failure) {
            closeWhenIdle = false;
            resource.cancelClose();
            throw failure;
        }
    }

    /** Submits all that is held back, before something that it needs is gone; what the SDK refuses fails. */
    public void flushHeld() {
        submissions.flushForGood();
    }

    /** Gives up what is in flight; see {@link Operation#abandoned}. */
    public void abandon(RuntimeException reason) {
        refuseWaiting(reason);
        tasks.abandon(reason, engine::report);
    }

    /** A task has completed, or the last one of a series; the engine calls after progress. */
    void taskSucceeded(long userData) {
        Operation slot = inFlight(userData);
        slot.collect();
        completed(slot);
        slot.succeeded();
    }

    /**
     * A task has failed; the engine calls after progress.
     *
     * @param nativeTask the task of its library, such as a {@code struct doca_dma_task_memcpy *}
     */
    void taskFailed(long userData, long nativeTask) {
        Operation slot = inFlight(userData);
        Operation member = slot.member(nativeTask);
        TaskFailedException failure = failure(member, TaskCalls.status(member.task()));
        // A series lands when all of it has ended.
        if (slot.isInSeries()) {
            member.failedInSeries();
        } else {
            completed(slot);
        }
        slot.failed(failure);
    }

    /** Makes the exception for a failed operation that is delivered now, and stops the context if need be. */
    private TaskFailedException failure(Operation slot, int status) {
        boolean passes = DocaError.of(status).isTransient();
        refreshState();
        Reason reason = cause.reason(passes || isRunning());
        TaskFailedException failure = failure(slot, status, slot.function(), engine.reasons(), reason);
        if (reason == Reason.ROOT_CAUSE && !passes) {
            cause.blame(failure, isRunning(), engine.round());
        }
        notifyDeferredTransition();
        return failure;
    }

    private Operation inFlight(long userData) {
        Operation slot = tasks.inFlight(userData);
        if (slot == null) {
            throw new DocaException(description() + ": completion of a task that is not in flight (user data 0x"
                    + Long.toHexString(userData) + ")");
        }
        return slot;
    }

    /** Why a task of a series was not submitted, of which others are in flight. */
    TaskFailedException refusedInSeries(Operation slot, int result, String function) {
        List<String> reasons = Calls.reasons();
        return failure(slot, result, function, reasons, reasonOfRefusal());
    }

    /**
     * Why an operation has failed of which a part was submitted and the next one is refused.
     *
     * @param message the whole message
     * @param function the C function's name
     */
    public TaskFailedException refusedLater(String message, String function, Throwable refusal) {
        Reason reason = reasonOfRefusal();
        int code = refusal instanceof DocaCallException answer ? answer.code() : DocaError.BAD_STATE.code();
        TaskFailedException rootCause = cause.rootCause();
        if (reason == Reason.ABORTED && rootCause != null) {
            return new TaskFailedException(message, code, function, rootCause);
        }
        TaskFailedException failure = new TaskFailedException(message, code, function, reason);
        failure.initCause(refusal);
        return failure;
    }

    private Reason reasonOfRefusal() {
        refreshState();
        return isRunning() ? cause.reason(true) : cause.isRequested() ? Reason.CANCELLED : Reason.ABORTED;
    }

    /**
     * A task that counts as in flight was refused by the SDK: it fails with the next delivery.
     *
     * @return its failure, or null if that is that the context is not running
     */
    @Nullable
    TaskFailedException failUnsubmitted(Operation slot, int result, String function) {
        List<String> reasons = Calls.reasons();
        slot.refused();
        refreshState();
        if (isRunning()) {
            Reason reason = cause.reason(true);
            TaskFailedException failure = failure(slot, result, function, reasons, reason);
            engine.deliverLater(() -> {
                completed(slot);
                slot.failed(failure);
            });
            return failure;
        }
        // Who is to blame may be known only when all is delivered that the SDK has noted.
        engine.deliverLater(() -> {
            Reason reason = cause.isRequested() ? Reason.CANCELLED : Reason.ABORTED;
            TaskFailedException failure = failure(slot, result, function, reasons, reason);
            completed(slot);
            slot.failed(failure);
        });
        return null;
    }

    private TaskFailedException failure(
            Operation slot, int result, String function, List<String> reasons, Reason reason) {
        TaskFailedException rootCause = cause.rootCause();
        if (reason == Reason.ABORTED && rootCause != null) {
            // The SDK gives all tasks of a context that stops the reasons of the first failure.
            String text = Calls.message(result, function, slot.attempt(), List.of())
                    + ". It was aborted, as the context stopped after another operation failed";
            return new TaskFailedException(text, result, function, rootCause);
        }
        String text = switch (reason) {
            case ROOT_CAUSE -> Calls.message(result, function, slot.attempt(), reasons);
            case CANCELLED ->
                Calls.message(result, function, slot.attempt(), List.of())
                        + ". It was aborted, as the context was stopped";
            case ABORTED ->
                Calls.message(result, function, slot.attempt(), reasons)
                        + ". It was aborted, as the context stopped by itself";
        };
        return new TaskFailedException(text, result, function, reason);
    }

    private void completed(Operation slot) {
        activity.markCompleted(slot.tasks(), slot.isDue());
        slot.markCompleted();
        if (state != ContextState.RUNNING) {
            freeTasks(slot);
        }
        if (stopIsDeferred && activity.inFlight() == 0) {
            finishDeferredStop();
        }
    }

    private void freeTasks(Operation slot) {
        if (slot.isInSeries()) {
            tasks.freeIdleTasks();
        } else {
            slot.freeTask();
        }
    }

    /** An event of the library's own; the engine calls after progress. */
    void event(int number, long object, long userData) {
        binding.event(number, object, userData);
    }

    /** The state has changed; the engine calls after progress. */
    void stateChanged(int previous, int next) {
        try {
            refreshState();
        } catch (DocaException failure) {
            // The state that was told is as good, and who is told of it must not miss it.
            state = ContextState.of(next);
            engine.report(failure);
        }
        // After a deferred stop the SDK tells that the context was running until then.
        ContextState before = delivered == ContextState.STOPPING ? delivered : ContextState.of(previous);
        delivered = ContextState.of(next);
        if (state != ContextState.RUNNING) {
            submissions.end();
            tasks.freeIdleTasks();
        }
        notifyDeferredTransition();
        if (ContextState.of(next) == ContextState.STOPPING && isCauseToCome()) {
            deferredTransition = before;
        } else if (before != ContextState.of(next)) {
            notifyListeners(before, ContextState.of(next));
        }
        if (closeWhenIdle && state == ContextState.IDLE && delivered == ContextState.IDLE) {
            try {
                destroy();
            } catch (Throwable failure) {
                resource.cancelClose();
                throw failure;
            }
        }
    }

    /** The SDK may tell of the stop before it tells of the failure; listeners learn of both at once. */
    private boolean isCauseToCome() {
        return state == ContextState.STOPPING
                && !cause.isRequested()
                && cause.rootCause() == null
                && activity.inFlight() > 0;
    }

    private void notifyDeferredTransition() {
        ContextState previous = deferredTransition;
        if (previous != null) {
            deferredTransition = null;
            notifyListeners(previous, ContextState.STOPPING);
        }
    }

    private void notifyListeners(ContextState previous, ContextState next) {
        Jfr.contextChanged(description(), previous, next);
        if (!isRunning() && !lines.stream().allMatch(WaitingLine::isEmpty)) {
            refuseWaiting(notRunning());
        }
        for (ContextListener listener : listeners) {
            try {
                listener.stateChanged(context, previous, next);
            } catch (Throwable failure) {
                engine.report(failure);
            }
        }
    }

    boolean isInTransition() {
        return state == ContextState.STOPPING || state == ContextState.STARTING;
    }

    private void start() {
        binding.starting();
        int result = DocaCommon.doca_ctx_start(MemorySegment.ofAddress(nativeContext()));
        if (result != DocaError.IN_PROGRESS.code()) {
            Calls.check(result, "doca_ctx_start", "starting the " + description());
        }
        startReasons = Calls.reasons();
        engine.countStart();
        finishStart();
        engine.deliverPending();
        if (state == ContextState.STARTING && binding.isStartAwaited() && !engine.isDelivering()) {
            engine.progressUntil(() -> state != ContextState.STARTING, closeTimeoutNanos);
        }
    }

    private void finishStart() {
        try {
            refreshState();
            if (state == ContextState.RUNNING) {
                binding.started();
            }
        } catch (Throwable failure) {
            cause.request();
            stopNative();
            refreshState();
            engine.deliverPending();
            throw failure;
        }
    }

    private int stopNative() {
        return DocaCommon.doca_ctx_stop(MemorySegment.ofAddress(nativeContext()));
    }

    /** A failure leaves tasks in flight of which the SDK would tell no more: the context does not survive it. */
    void stopAfter(TaskFailedException failure) {
        cause.blame(failure, false, engine.round());
        tasks.freeIdleTasks();
        stopNative();
        refreshState();
        Calls.settle();
    }

    void requestStop() {
        // A context that has stopped itself meanwhile keeps its cause.
        refreshState();
        if (state == ContextState.IDLE || state == ContextState.STOPPING) {
            return;
        }
        cause.request();
        submissions.end();
        tasks.freeIdleTasks();
        int result = stopNative();
        refreshState();
        if (result == DocaError.IN_USE.code() && state == ContextState.RUNNING && activity.inFlight() > 0) {
            deferStop();
        } else {
            checkStop(result);
        }
        engine.deliverPending();
    }

    private void checkStop(int result) {
        boolean idleAlready = result == DocaError.BAD_STATE.code() && state == ContextState.IDLE;
        if (result != DocaError.IN_PROGRESS.code() && !idleAlready) {
            Calls.check(result, "doca_ctx_stop", "stopping the " + description());
        }
    }

    /** Release 2.5 fails all tasks of a sync event when it is stopped, but leaves its context running. */
    private void deferStop() {
        Calls.settle();
        stopIsDeferred = true;
        state = ContextState.STOPPING;
        engine.deliverLater(() -> {
            delivered = ContextState.STOPPING;
            notifyListeners(ContextState.RUNNING, ContextState.STOPPING);
        });
    }

    private void finishDeferredStop() {
        stopIsDeferred = false;
        tasks.freeIdleTasks();
        int result = stopNative();
        refreshState();
        try {
            checkStop(result);
        } catch (DocaException failure) {
            engine.report(failure);
        }
    }

    private void awaitStopped(String purpose, long timeoutNanos) {
        if (!engine.progressUntil(() -> state != ContextState.STOPPING, timeoutNanos)) {
            throw new DocaException(description() + " cannot " + purpose + ": it is " + lowerCase(state)
                    + " with " + counted(activity.inFlight()) + " in flight after "
                    + Deadlines.text(Duration.ofNanos(timeoutNanos)) + inFlightTasks());
        }
    }

    /** Returns a description of the tasks in flight, for messages. */
    private String inFlightTasks() {
        if (activity.inFlight() == 0) {
            return "";
        }
        int more = Math.max(activity.inFlight() - TASKS_DESCRIBED, 0);
        return ": " + String.join("; ", tasks.attemptsInFlight(TASKS_DESCRIBED))
                + (more == 0 ? "" : "; and " + more + " more");
    }

    private void destroy() {
        closeWhenIdle = false;
        tasks.freeIdleTasks();
        Calls.check(binding.destroy(), binding.destroyFunction(), "closing the " + description());
        engine.detach(index, tasks.size());
        submissions.close();
        resource.endClose();
    }

    private void refreshState() {
        state = ContextState.of(engine.nativeState(nativeContext()));
        if (stopIsDeferred && state == ContextState.RUNNING) {
            state = ContextState.STOPPING;
        }
        if (state != ContextState.RUNNING) {
            cause.left(engine.round());
        }
    }

    /** The {@code struct doca_ctx *}. */
    public long nativeContext() {
        return binding.context();
    }

    /** Why the context does not run, if it does not, by what the SDK says now. */
    public Optional<String> whyNotRunningNow() {
        refreshState();
        return isRunning() ? Optional.empty() : Optional.of(whyNotRunning());
    }

    private ContextNotRunningException notRunning() {
        return new ContextNotRunningException(whyNotRunning(), state, cause.rootCause());
    }

    private String whyNotRunning() {
        return description() + " is " + lowerCase(state) + (state == ContextState.STARTING ? "" : cause.explain());
    }

    private static String lowerCase(ContextState state) {
        return switch (state) {
            case IDLE -> "idle";
            case STARTING -> "starting";
            case RUNNING -> "running";
            case STOPPING -> "stopping";
        };
    }

    private static String counted(int tasks) {
        return tasks == 1 ? "1 task" : tasks + " tasks";
    }
}
