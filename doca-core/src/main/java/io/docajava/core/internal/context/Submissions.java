/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.context;

import io.docajava.core.DocaError;
import io.docajava.core.context.Batch;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.ffi.DocaLibrary;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.hot.BufCalls;
import io.docajava.ffi.hot.TaskCalls;
import io.docajava.ffi.submission.TaskCommands;
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
final class Submissions {

    /** So many tasks are held back at most: more would make the device wait, and save next to nothing. */
    private static final int MOST_HELD = 32;

    /** The data segments of two buffers, five arguments, and the submission. */
    private static final int COMMANDS_PER_TASK = 8;

    private static final boolean HAS_FLUSH = DocaLibrary.load().has("doca_ctx_flush_tasks");

    private static final int SUCCESS = DocaError.SUCCESS.code();
    private static final int NONE = DocaCommon.DOCA_TASK_SUBMIT_FLAG_NONE();
    private static final int OPTIMIZE_REPORTS = DocaCommon.DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS();

    private final ContextCore core;
    private final int tasks;
    private final TaskCommands commands;

    /**
     * What is held back, from {@code first} to {@code end}, by the numbers of the slots, and how many commands there are
     * up to each one's end. Numbers, as the garbage collector takes note of each reference that is stored.
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

    /** For a context with a number of tasks. */
    Submissions(ContextCore core, int tasks) {
        this.core = core;
        this.tasks = tasks;
        int capacity = Math.min(tasks, MOST_HELD);
        limit = capacity;
        held = new int[capacity];
        commandEnds = new int[capacity];
        commands = TaskCommands.open(core.engine().mode(), capacity * COMMANDS_PER_TASK);
    }

    void open(Batch opened, boolean withFewReports) {
        if (batch != null) {
            throw new IllegalStateException(core.description() + " has an open batch already: close that one first");
        }
        batch = opened;
        // What an earlier batch has left waits for its report still.
        fewReports = withFewReports || (unflushed > 0 && fewReports);
        // A queue must never be full of tasks that are reported with a later one only.
        limit = Math.clamp(fewReports ? tasks / 2 : tasks, 1, held.length);
    }

    boolean isBatchOpen() {
        return batch != null;
    }

    void close(Batch closed) {
        if (closed.equals(batch)) {
            batch = null;
            flushOrWait();
            if (first == end && unflushed == 0) {
                endFewReports();
            }
        }
    }

    /** Frees the memory of the commands, when the context is gone. */
    void close() {
        commands.close();
    }

    /** As {@link #flush()}; what is still held then has another chance with the next progress. */
    void flushOrWait() {
        if (first < end && flush() != SUCCESS) {
            Calls.settle();
        }
    }

    /** As {@link #flush()}, and nothing is held then: what the SDK refuses fails. */
    void flushForGood() {
        if (first < end) {
            flush(true);
            Calls.settle();
        }
    }

    /** Makes room for the commands of a slot, behind all that is in the batch if the slot's task is beside it. */
    TaskCommands prepare(Operation slot, boolean batched) {
        prepared = commands.size();
        if (batched ? end >= limit : first < end) {
            int result = flush();
            prepared = commands.size();
            if (result != SUCCESS) {
                throw core.refused(result, commands.failedFunction(), slot);
            }
            if (!core.isRunning()) {
                throw core.refused(DocaError.BAD_STATE.code(), "doca_task_submit", slot);
            }
        }
        return commands;
    }

    /**
     * Lets the SDK know the data segments of a list that the task being prepared writes to, by its commands: nobody else
     * can use that list before. Longer lists are told at once, as there may be more of them than commands.
     */
    void updateDestination(BufElement list, Operation slot) {
        if (!list.isAlone()) {
            updateNow(list, slot);
        } else if (list.isStale()) {
            commands.setData(list.pointer(), list.data(), list.dataLength());
            list.markUpdated();
        }
    }

    /** Lets the SDK know the data segments of a list at once: tasks of other contexts may read it, and go before this one. */
    void updateNow(BufElement list, Operation slot) {
        for (BufElement element = list; element != null; element = element.next()) {
            if (element.isStale()) {
                updateNow(element, element.data(), element.dataLength(), slot);
                element.markUpdated();
            }
        }
    }

    /** Lets the SDK have another data segment of one element than Java has. */
    void updateNow(BufElement element, long data, long length, Operation slot) {
        int result = BufCalls.setData(element.pointer(), data, length);
        if (result != SUCCESS) {
            throw core.refused(result, "doca_buf_set_data", slot);
        }
    }

    /** Takes back what was noted since {@link #prepare}. */
    void drop() {
        commands.truncate(prepared);
    }

    /** Submits a task beside the batch. When this throws, the task is not in flight. */
    void submit(Operation slot) {
        commands.submit(slot.task());
        int result = commands.run();
        if (result != SUCCESS) {
            String function = commands.failedFunction();
            commands.clear();
            prepared = 0;
            throw core.refused(result, function, slot);
        }
        commands.clear();
        unflushed = 0;
        core.markSubmitted(slot);
    }

    /** Prepares a task that a graph submits. When this throws, the task is not in flight. */
    void lend(Operation slot) {
        int result = commands.run();
        String function = result == SUCCESS ? "" : commands.failedFunction();
        commands.clear();
        prepared = 0;
        if (result != SUCCESS) {
            throw core.refused(result, function, slot);
        }
        core.markSubmitted(slot);
    }

    /** Submits a task in the open batch, or on the engine of a loop. When this throws, the task is not in flight. */
    void submitInBatch(Operation slot) {
        commands.submit(slot.task(), fewReports ? OPTIMIZE_REPORTS : NONE);
        hold(slot);
    }

    /** The same for a task that needs no other preparation than that the data segment of a buffer is emptied. */
    void submitInBatchAfterReset(Operation slot, BufElement buf) {
        commands.resetAndSubmit(buf.pointer(), slot.task(), fewReports ? OPTIMIZE_REPORTS : NONE);
        buf.markUpdated();
        hold(slot);
    }

    private void hold(Operation slot) {
        if (first == end) {
            core.engine().beginHolding();
        }
        held[end] = slot.index();
        commandEnds[end] = commands.size();
        end++;
        core.markSubmitted(slot);
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
    void end() {
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
        int slot = held[first];
        first++;
        return slot;
    }

    /** The SDK refuses the first one that is held for good; null if that is because the context does not run. */
    private @Nullable TaskFailedException giveUp(int result) {
        String function = commands.failedFunction();
        commands.skipTo(commandEnds[first]);
        return core.failUnsubmitted(core.slot(pass()), result, function);
    }

    private void clear() {
        first = 0;
        end = 0;
        prepared = 0;
        commands.clear();
        core.engine().endHolding();
    }

    /** Returns whether the end of a task in flight can make the SDK take what it has refused. */
    private boolean canRetry(int result) {
        return DocaError.of(result).isTransient() && core.tasksInFlight() > end - first;
    }

    /** Lets the device begin with what waits for a flush. */
    private void push() {
        if (HAS_FLUSH && unflushed > 0) {
            TaskCalls.flush(core.nativeContext());
        }
    }

    /** The last one was refused, and others wait for a flush or for being reported with it. */
    private void reportOthers(TaskFailedException refusal) {
        if (fewReports || !HAS_FLUSH) {
            core.stopAfter(refusal);
        } else {
            push();
        }
        unflushed = 0;
    }
}
