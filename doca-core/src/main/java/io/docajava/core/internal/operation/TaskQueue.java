/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.operation;

import io.docajava.DocaException;
import io.docajava.core.DocaError;
import io.docajava.core.context.Batch;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.state.ContextLife;
import io.docajava.ffi.DocaLibrary;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.hot.BufCalls;
import io.docajava.ffi.hot.TaskCalls;
import io.docajava.ffi.submission.TaskCommands;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Submits the tasks of a context to the SDK: each by itself, flushed and reported, or in a batch, where the device is rung
 * once for many and may report them together.
 *
 * <p>A task that is submitted without a flush, or with the wish for fewer reports, may wait for ever if no other follows
 * that has both. Nobody knows which task of a batch is the last one. So those of a batch are held back, which also lets
 * one native call submit them all: when they are many, when the batch ends, when a task is submitted beside it, and
 * before every progress and sleep of the engine they go, the last one flushed and reported. Hence nobody ever waits for
 * what was not flushed.
 *
 * <p>What is held back counts as in flight. If the SDK refuses it then, it stays held as long as others in flight can
 * make room by their end; if not, it fails by its own callback, and if others of the batch may wait for its report, the
 * context is stopped, which reports all.
 *
 * <p>An SDK without {@code doca_task_submit_ex} gets every task flushed and reported.
 */
public final class TaskQueue {

    /** So many tasks are held back at most: more would make the device wait, and save next to nothing. */
    private static final int MOST_HELD = 32;

    /** The data segments of two buffers, five arguments, and the submission. */
    private static final int COMMANDS_PER_TASK = 8;

    private static final boolean HAS_FLUSH = DocaLibrary.load().has("doca_ctx_flush_tasks");

    private static final int SUCCESS = DocaError.SUCCESS.code();
    private static final int NONE = DocaCommon.DOCA_TASK_SUBMIT_FLAG_NONE();
    private static final int OPTIMIZE_REPORTS = DocaCommon.DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS();

    private final ContextLife life;
    private final Operations operations;
    private final TaskFailures failures;
    private final TaskCommands commands;

    /**
     * The indices of the operations that are held back, from {@code first} to {@code end}, and for each the number of commands up to
     * its end. Not references: each store of one is work for the garbage collector.
     */
    private final int[] held;

    private final int[] commandEnds;
    private int first;
    private int end;

    /** The largest number of tasks that are held back. */
    private int limit;
    /** Index of the first command of the task that is being prepared. */
    private int prepared;
    /** The number of tasks submitted since the last one that was flushed and reported. */
    private int unflushed;

    /** The open batch. */
    private @Nullable Batch batch;

    private boolean fewReports;

    /** Creates the queue of a context with these operations. */
    public TaskQueue(ContextLife life, Operations operations, TaskFailures failures) {
        this.life = life;
        this.operations = operations;
        this.failures = failures;
        int capacity = Math.min(operations.size(), MOST_HELD);
        limit = capacity;
        held = new int[capacity];
        commandEnds = new int[capacity];
        commands = TaskCommands.open(life.engine().mode(), capacity * COMMANDS_PER_TASK);
    }

    /**
     * Opens a batch, of which all is part that is submitted until it is closed.
     *
     * @param together whether the device may report some tasks only when it reports a later one
     * @throws IllegalStateException if another batch is open
     */
    public Batch openBatch(boolean together) {
        if (batch != null) {
            throw new IllegalStateException(life.description() + " has an open batch already: close that one first");
        }
        Batch opened = new Batch() {
            @Override
            public void close() {
                life.checkThreadToClose();
                endBatch(this);
            }

            @Override
            public String toString() {
                return "Batch of the " + life.context();
            }
        };
        batch = opened;
        // Tasks of an earlier batch may still wait for their report.
        fewReports = together || (unflushed > 0 && fewReports);
        // A queue must never be full of tasks that are reported with a later one only.
        limit = Math.clamp(fewReports ? operations.size() / 2 : operations.size(), 1, held.length);
        return opened;
    }

    /** Returns whether an operation that is submitted now becomes part of a batch. */
    boolean isBatchOpen() {
        return batch != null;
    }

    private void endBatch(Batch closed) {
        if (closed.equals(batch)) {
            batch = null;
            flushOrWait();
            if (first == end && unflushed == 0) {
                endFewReports();
            }
        }
    }

    /** Frees the memory of the commands, when the context is gone. */
    public void close() {
        commands.close();
    }

    /** As {@link #flush()}; what is still held then has another chance with the next progress. */
    public void flushOrWait() {
        if (first < end && flush() != SUCCESS) {
            Calls.settle();
        }
    }

    /** As {@link #flush()}, and nothing is held then: what the SDK refuses fails. */
    public void flushForGood() {
        if (first < end) {
            flush(true);
            Calls.settle();
        }
    }

    /**
     * Begins the submission of a task: the commands that prepare it are added to those returned, and then {@link #submit} follows, or
     * {@link #drop} if that fails.
     *
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses a task that is held back and has to go first
     */
    TaskCommands prepare(Operation operation) {
        return prepare(operation, isHolding() ? end >= limit : first < end);
    }

    /** As {@link #prepare}, for a task that is not held back; {@link #submitAlone} or {@link #lend} follows. */
    TaskCommands prepareAlone(Operation operation) {
        return prepare(operation, first < end);
    }

    private TaskCommands prepare(Operation operation, boolean flushed) {
        prepared = commands.size();
        if (flushed) {
            int result = flush();
            prepared = commands.size();
            if (result != SUCCESS) {
                throw refusal(result, commands.failedFunction(), operation);
            }
            if (!life.isRunning()) {
                throw refusal(DocaError.BAD_STATE.code(), "doca_task_submit", operation);
            }
        }
        return commands;
    }

    /** Returns whether tasks are held back, in a batch or on the engine of a loop. */
    private boolean isHolding() {
        return batch != null || life.engine().isOfLoop();
    }

    /**
     * Sets the data segments of a list that the task being prepared writes to, by its commands: no other operation can use that list
     * before. The segments of longer lists are set at once, as there may be more of them than commands.
     */
    void updateDestination(BufElement list, Operation operation) {
        if (!list.isAlone()) {
            updateNow(list, operation);
        } else if (list.isStale()) {
            commands.setData(list.pointer(), list.data(), list.dataLength());
            list.markUpdated();
        }
    }

    /** Sets the data segments of a list at once: tasks of other contexts may read it, and go before this one. */
    public void updateNow(BufElement list, Operation operation) {
        for (BufElement element = list; element != null; element = element.next()) {
            if (element.isStale()) {
                updateNow(element, element.data(), element.dataLength(), operation);
                element.markUpdated();
            }
        }
    }

    /** Sets a data segment of one element that Java has otherwise, at once. */
    public void updateNow(BufElement element, long data, long length, Operation operation) {
        int result = BufCalls.setData(element.pointer(), data, length);
        if (result != SUCCESS) {
            throw refusal(result, "doca_buf_set_data", operation);
        }
    }

    /** Takes back what was noted since {@link #prepare}. */
    void drop() {
        commands.truncate(prepared);
    }

    /** Submits the task that was prepared, or holds it back. When this throws, it is not in flight. */
    void submit(Operation operation) {
        if (isHolding()) {
            commands.submit(operation.task(), flags());
            hold(operation);
            operations.markSubmitted(operation);
        } else {
            submitAlone(operation);
        }
    }

    /** Submits the task that was prepared at once. When this throws, it is not in flight. */
    void submitAlone(Operation operation) {
        commands.submit(operation.task());
        runPrepared(operation);
        unflushed = 0;
        operations.markSubmitted(operation);
    }

    /** Prepares a task that a graph submits. When this throws, it is not in flight. */
    void lend(Operation operation) {
        runPrepared(operation);
        operations.markSubmitted(operation);
    }

    private void runPrepared(Operation operation) {
        int result = commands.run();
        String function = result == SUCCESS ? "" : commands.failedFunction();
        commands.clear();
        prepared = 0;
        if (result != SUCCESS) {
            throw refusal(result, function, operation);
        }
    }

    /** Submits a task of the open batch that needs no other preparation than that the data segment of a buffer is emptied. */
    void submitAfterReset(Operation operation, BufElement buf) {
        commands.resetAndSubmit(buf.pointer(), operation.task(), flags());
        buf.markUpdated();
        hold(operation);
        operations.markSubmittedAgain(operation);
    }

    private int flags() {
        return fewReports ? OPTIMIZE_REPORTS : NONE;
    }

    private void hold(Operation operation) {
        if (first == end) {
            life.engine().beginHolding();
        }
        held[end] = operation.index();
        commandEnds[end] = commands.size();
        end++;
    }

    /**
     * Submits what is held, the last one flushed and reported.
     *
     * @return why some of it is still held; success if nothing is
     */
    private int flush() {
        return flush(false);
    }

    /** The context stops, or has stopped: what is held has this last chance. */
    public void end() {
        batch = null;
        flush(true);
        unflushed = 0;
        endFewReports();
    }

    /** For what a loop submits without a batch. */
    private void endFewReports() {
        fewReports = false;
        limit = held.length;
    }

    private int flush(boolean lastChance) {
        if (first == end) {
            return SUCCESS;
        }
        commands.submitLastWithoutFlags();
        TaskFailedException lastRefusal = null;
        boolean lastIsRefused = false;
        while (first < end) {
            int result = commands.run();
            while (first < end && commandEnds[first] <= commands.position()) {
                pass();
                unflushed++;
                lastIsRefused = false;
            }
            if (result == SUCCESS) {
                break;
            }
            if (!lastChance && canRetry(result)) {
                push();
                return result;
            }
            lastIsRefused = true;
            lastRefusal = giveUp(result);
        }
        clear();
        if (!lastIsRefused) {
            unflushed = 0;
        } else if (!lastChance && lastRefusal != null && unflushed > 0) {
            reportOthers(lastRefusal);
        }
        return SUCCESS;
    }

    /** The first one that is held is held no more. */
    private int pass() {
        int operation = held[first];
        first++;
        return operation;
    }

    /** The SDK refuses the first one that is held for good; null if that is because the context does not run. */
    private @Nullable TaskFailedException giveUp(int result) {
        String function = commands.failedFunction();
        commands.skipTo(commandEnds[first]);
        return fail(operations.get(pass()), result, function);
    }

    private void clear() {
        first = 0;
        end = 0;
        prepared = 0;
        commands.clear();
        life.engine().endHolding();
    }

    /** Returns whether the end of a task in flight can make the SDK take what it has refused. */
    private boolean canRetry(int result) {
        return DocaError.of(result).isTransient() && operations.inFlight() > end - first;
    }

    /** Lets the device begin with what waits for a flush. */
    private void push() {
        if (HAS_FLUSH && unflushed > 0) {
            TaskCalls.flush(life.nativeContext());
        }
    }

    /**
     * Fails an operation that counts as in flight, and was refused by the SDK, with the next delivery.
     *
     * @return its failure, or null if that is that the context is not running
     */
    private @Nullable TaskFailedException fail(Operation operation, int result, String function) {
        List<String> reasons = Calls.reasons();
        operation.refused();
        life.refresh();
        if (life.isRunning()) {
            TaskFailedException failure = failures.refused(operation, result, function, reasons);
            life.engine().deliverLater(() -> fail(operation, failure));
            return failure;
        }
        // The cause of the stop may be known only when all is delivered that the SDK has recorded.
        life.engine().deliverLater(() -> fail(operation, failures.refusedByStop(operation, result, function, reasons)));
        return null;
    }

    private void fail(Operation operation, TaskFailedException failure) {
        operations.markCompleted(operation);
        operation.failed(failure);
    }

    /** The last one was refused, and others wait for a flush or for being reported with it. */
    private void reportOthers(TaskFailedException refusal) {
        if (fewReports || !HAS_FLUSH) {
            stopAfter(refusal);
        } else {
            push();
        }
        unflushed = 0;
    }

    /** Counts a task as in flight that a series has submitted. */
    void markSubmitted(Operation operation) {
        operations.markSubmitted(operation);
    }

    /** Lets the device begin with tasks that were submitted without a flush. */
    void flushNative() {
        TaskCalls.flush(life.nativeContext());
    }

    /** Stops the context after a failure that leaves tasks in flight of which the SDK would report no more. */
    void stopAfter(TaskFailedException failure) {
        life.cause().blame(failure, false, life.engine().round());
        operations.freeIdleTasks();
        life.stopAfterFailure();
    }

    /** Returns the exception for a call for an operation that the SDK has refused. */
    DocaException refusal(int result, String function, Operation operation) {
        return life.refusal(result, function, operation.attempt());
    }

    /** Returns why an operation has failed of which a part was submitted and the next one is refused. */
    public TaskFailedException refusedPart(String message, String function, Throwable refusal) {
        return failures.refusedPart(message, function, refusal);
    }

    /** Returns why a task of a series was not submitted, of which others are in flight. */
    TaskFailedException refusedInSeries(Operation operation, int result, String function) {
        return failures.refused(operation, result, function, Calls.reasons());
    }
}
