/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.operation;

import io.docajava.DocaException;
import io.docajava.core.DocaError;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.engine.EngineImpl;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.state.ContextLife;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.hot.BufCalls;
import io.docajava.ffi.hot.TaskCalls;
import io.docajava.ffi.submission.TaskCommands;
import java.util.List;

/**
 * Submits the tasks of one context to the SDK. {@link Operation} and {@link TaskSeries} call it to submit; the context and the
 * engine call it to flush. It defers tasks, so that one native call submits many, and one doorbell starts them. The device may
 * report them together.
 *
 * <p>A task that is submitted without a flush, or with optimized reports, may never complete unless a flush follows. The flush
 * flag of a task starts only the tasks of its own queue in the SDK, so the context is flushed behind the last one. This happens when
 * 32 tasks are deferred, when a task cannot be deferred, and before each progress and each sleep of the engine.
 *
 * <p>Deferred tasks count as in flight. If the SDK refuses one and a task in flight can still make room by completing, the task stays
 * deferred. Otherwise its operation fails through its sink; the other tasks are flushed.
 *
 * <p>If the SDK has no {@code doca_task_submit_ex} or no {@code doca_ctx_flush_tasks}, every task is flushed and reported.
 */
public final class TaskQueue {

    /** The maximum number of deferred tasks. A larger number would delay the device and save almost nothing. */
    private static final int MAX_DEFERRED = 32;

    /** The data segments of two buffers, five arguments, and the submission. */
    private static final int COMMANDS_PER_TASK = 8;

    private static final boolean HAS_FLAGS = TaskCommands.hasFlags();

    private static final int SUCCESS = DocaError.SUCCESS.code();
    private static final int NONE = DocaCommon.DOCA_TASK_SUBMIT_FLAG_NONE();
    private static final int OPTIMIZE_REPORTS = DocaCommon.DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS();

    private final ContextLife life;
    private final EngineImpl engine;
    private final Operations operations;
    private final TaskFailures failures;
    private final TaskCommands commands;

    /**
     * The deferred operations, from {@code first} to {@code end}: in the lower half the index of the operation, as each store of a
     * reference is work for the garbage collector; in the upper half the index behind its last command.
     */
    private final long[] deferred;

    private int first;
    private int end;

    /** True while the steps of a submission without a check of the stack are made, and after one that was cut short. */
    private boolean begun;

    /** True if the SDK may report tasks together. */
    private boolean fewReports;

    /** Creates the queue of a context with these operations. */
    public TaskQueue(ContextLife life, Operations operations, TaskFailures failures) {
        this.life = life;
        this.engine = life.engine();
        this.operations = operations;
        this.failures = failures;
        int capacity = Math.clamp(operations.size(), 1, MAX_DEFERRED);
        deferred = new long[capacity];
        // The last command flushes.
        commands = TaskCommands.open(engine.mode(), capacity * COMMANDS_PER_TASK + 1);
    }

    /** Called before an operation gets a native task. */
    void markUsed(int index) {
        operations.markUsed(index);
    }

    /** Lets the device report some tasks only together with a later one, if it can. */
    public void optimizeReports() {
        fewReports = HAS_FLAGS;
    }

    /** Frees the memory of the commands. Called when the context is destroyed. */
    public void close() {
        commands.close();
    }

    /** Submits all deferred tasks. Tasks that are still deferred are submitted again with the next progress. */
    public void flushOrWait() {
        repair();
        if (first < end && flush(false) != SUCCESS) {
            Calls.discardErrors();
        }
    }

    /** Submits all deferred tasks. Tasks that the SDK refuses fail, so none is deferred afterwards. */
    public void flushForGood() {
        repair();
        if (first < end) {
            flush(true);
            Calls.discardErrors();
        }
    }

    /**
     * Begins the submission of a task. The caller appends the commands that prepare the task and then calls {@link #submit}, or
     * {@link #drop} if that fails.
     *
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses a deferred task that must be submitted first
     */
    TaskCommands prepare(Operation operation) {
        repair();
        return prepare(operation, end == deferred.length);
    }

    /** Like {@link #prepare}, for a task that is not deferred. The caller continues with {@link #submitNow} or {@link #lend}. */
    TaskCommands prepareNow(Operation operation) {
        repair();
        return prepare(operation, first < end);
    }

    private TaskCommands prepare(Operation operation, boolean flushed) {
        if (flushed) {
            int result = flush(false);
            if (result != SUCCESS) {
                throw refusal(result, commands.failedFunction(), operation);
            }
            if (!life.isRunning()) {
                throw refusal(DocaError.BAD_STATE.code(), "doca_task_submit", operation);
            }
        }
        return commands;
    }

    /**
     * Sets the data segments of the destination of the task being prepared. The segment of a single buffer is set by a command of
     * the task, as no other operation can use the buffer earlier. The segments of longer lists are set at once, as they may exceed
     * the space for commands.
     */
    void updateDestination(BufElement list, Operation operation) {
        if (!list.isSingle()) {
            updateNow(list, operation);
        } else if (list.isStale()) {
            commands.setData(list.pointer(), list.data(), list.dataLength());
            list.markUpdated();
        }
    }

    /** Sets the data segments of a list at once, as a task of another context may read the list before this task is submitted. */
    public void updateNow(BufElement list, Operation operation) {
        for (BufElement element = list; element != null; element = element.next()) {
            if (element.isStale()) {
                updateNow(element, element.data(), element.dataLength(), operation);
                element.markUpdated();
            }
        }
    }

    /** Sets the data segment of one element at once, to a segment that may differ from the one in Java. */
    public void updateNow(BufElement element, long data, long length, Operation operation) {
        int result = BufCalls.setData(element.pointer(), data, length);
        if (result != SUCCESS) {
            throw refusal(result, "doca_buf_set_data", operation);
        }
    }

    /** Removes the commands appended since {@link #prepare}. */
    void drop() {
        commands.truncate(commandsOfDeferred());
    }

    /** Returns the number of commands up to the end of the last deferred task. */
    private int commandsOfDeferred() {
        return end == 0 ? 0 : commandEnd(end - 1);
    }

    private int commandEnd(int place) {
        return (int) (deferred[place] >>> Integer.SIZE);
    }

    private Operation deferredAt(int place) {
        return operations.get((int) deferred[place]);
    }

    /** Defers the prepared task. */
    void submit(Operation operation) {
        commands.submit(operation.task(), flags(operation));
        defer(operation);
        operations.markSubmitted(operation);
    }

    /** Submits the prepared task at once. If this throws, the task is not in flight. */
    void submitNow(Operation operation) {
        commands.submit(operation.task());
        runPrepared(operation);
        operations.markSubmitted(operation);
    }

    /** Runs the commands that prepare a task for a graph, which submits it. If this throws, the task is not in flight. */
    void lend(Operation operation) {
        runPrepared(operation);
        operations.markSubmitted(operation);
    }

    private void runPrepared(Operation operation) {
        operation.reportTogether(false);
        int result = commands.run();
        String function = result == SUCCESS ? "" : commands.failedFunction();
        commands.clear();
        if (result != SUCCESS) {
            throw refusal(result, function, operation);
        }
    }

    /** Defers a task whose only preparation is to empty the data segment of a buffer. */
    void submitAfterReset(Operation operation, BufElement buf) {
        commands.resetAndSubmit(buf.pointer(), operation.task(), flags(operation));
        buf.markUpdated();
        defer(operation);
        operations.markSubmittedAgain(operation);
    }

    /** Defers a task whose buffers are those of a slot. */
    void submitAimed(Operation operation, long slot, long source, long destination, long length) {
        commands.aimAndSubmit(slot, source, destination, length, flags(operation));
        defer(operation);
        operations.markSubmittedAgain(operation);
    }

    /**
     * Returns whether a task can be deferred by {@link #deferBound}. If not, the caller checks the stack, and calls {@link #prepare}, which
     * makes room and repairs.
     */
    boolean canDefer() {
        return end < deferred.length && !begun && !engine.isRecording();
    }

    /** Called before the first step of a submission without a check of the stack. It ends with {@link #deferBound}. */
    void begin() {
        begun = true;
    }

    /**
     * Defers a task whose buffers are those of a slot, and counts it as in flight. The caller then marks the operation as in flight,
     * without a further call, as only then the submission is complete.
     *
     * @return the time of the submission
     */
    long deferBound(Operation operation, long slot, long source, long destination, long length) {
        commands.aimAndSubmit(slot, source, destination, length, flags(operation));
        defer(operation);
        operations.countBound(operation);
        long now = engine.clock();
        begun = false;
        return now;
    }

    /**
     * Undoes a submission that began without a check of the stack, and that a stack overflow has cut short between any two of its
     * steps. The operation is not marked as in flight then. Called before anything depends on these steps.
     */
    public void repair() {
        if (begun) {
            undo();
        }
    }

    private void undo() {
        if (first < end && !deferredAt(end - 1).isInFlight()) {
            end--;
        }
        commands.truncate(commandsOfDeferred());
        if (first == end) {
            clear();
        }
        operations.recount();
        begun = false;
    }

    private int flags(Operation operation) {
        operation.reportTogether(fewReports);
        return fewReports ? OPTIMIZE_REPORTS : NONE;
    }

    private void defer(Operation operation) {
        if (first == end) {
            engine.flushLater();
        }
        deferred[end] = (long) commands.size() << Integer.SIZE | operation.index();
        end++;
    }

    /** Submits all deferred tasks for the last time. Called when the context stops or has stopped. */
    public void end() {
        repair();
        flush(true);
    }

    /**
     * Submits all deferred tasks, and starts them.
     *
     * @param lastChance whether a task that the SDK refuses fails even if it could stay deferred
     * @return the {@code doca_error_t} because of which tasks are still deferred; success if none is
     */
    private int flush(boolean lastChance) {
        if (first == end) {
            return SUCCESS;
        }
        if (end - first == 1) {
            commands.startLast();
            deferredAt(first).reportTogether(false);
        } else {
            commands.reportLast();
            commands.flush(life.nativeContext());
        }
        int result = run();
        while (result != SUCCESS) {
            if (!lastChance && canRetry(result)) {
                commands.truncate(commandsOfDeferred());
                startSubmitted();
                engine.flushLater();
                return result;
            }
            giveUp(result);
            if (!life.isRunning()) {
                // An idle context must not be flushed.
                commands.truncate(commandsOfDeferred());
            }
            result = run();
        }
        clear();
        return SUCCESS;
    }

    /** Runs the commands of the deferred tasks until one is refused. */
    private int run() {
        int result = commands.run();
        while (first < end && commandEnd(first) <= commands.position()) {
            first++;
        }
        return result;
    }

    /** Fails the first deferred operation, which the SDK has refused. */
    private void giveUp(int result) {
        String function = commands.failedFunction();
        commands.skipTo(commandEnd(first));
        Operation refused = deferredAt(first);
        first++;
        fail(refused, result, function);
    }

    private void clear() {
        first = 0;
        end = 0;
        commands.clear();
    }

    /** Returns whether the SDK can accept the refused task after a task in flight has completed. */
    private boolean canRetry(int result) {
        return DocaError.of(result).isTransient() && operations.inFlight() > end - first;
    }

    /** Fails an operation that counts as in flight and was refused by the SDK. The failure is delivered with the next delivery. */
    private void fail(Operation operation, int result, String function) {
        List<String> reasons = Calls.reasons();
        operation.refused();
        life.refreshOrReport();
        if (life.isRunning()) {
            TaskFailedException failure = failures.refused(operation, result, function, reasons);
            engine.delivery().later(() -> fail(operation, failure));
        } else {
            // The cause of the stop may be known only after all recorded completions are delivered.
            engine.delivery()
                    .later(() -> fail(operation, failures.refusedByStop(operation, result, function, reasons)));
        }
    }

    private void fail(Operation operation, TaskFailedException failure) {
        operations.markCompleted(operation);
        operation.failed(failure);
    }

    /** Marks the tasks of a submitted series as in flight. */
    void markSubmitted(Operation operation) {
        operations.markSubmitted(operation);
    }

    /** Starts the tasks that were submitted without a flush, and lets the SDK report those with optimized reports. */
    void startSubmitted() {
        if (HAS_FLAGS) {
            TaskCalls.flush(life.nativeContext());
        }
    }

    /** Returns the exception for an operation that the SDK has refused. */
    DocaException refusal(int result, String function, Operation operation) {
        return life.refusal(
                result, function, operation.attempt(), TaskFailures.reasons(operation, result, Calls.reasons()));
    }

    /** Returns the failure of an operation whose first parts were submitted and whose next part was refused. */
    public TaskFailedException refusedPart(String message, String function, Throwable refusal) {
        return failures.refusedPart(message, function, refusal);
    }

    /** Returns the failure of a refused task of a series whose earlier tasks are in flight. */
    TaskFailedException refusedInSeries(Operation operation, int result, String function) {
        List<String> reasons = Calls.reasons();
        life.refreshOrReport();
        return failures.refused(operation, result, function, reasons);
    }
}
