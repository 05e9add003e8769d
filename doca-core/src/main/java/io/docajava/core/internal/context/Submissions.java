/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.context;

import io.docajava.core.DocaError;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.internal.call.Calls;
import io.docajava.ffi.DocaLibrary;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.hot.TaskCalls;
import org.jspecify.annotations.Nullable;

/**
 * How the tasks of a context go to the SDK: each by itself, flushed and reported, or in a batch, where the device is
 * rung once for many and may report them together.
 *
 * <p>A task that is submitted without a flush, or with the wish for fewer reports, may wait for ever if no other follows
 * that has both. Nobody knows which task of a batch is the last one. So the latest is held back: when the next one comes
 * it goes with the flags of the batch, and it goes flushed and reported when the batch ends, when a task is submitted
 * beside the batch, and before every progress and sleep of the engine. Hence nobody ever waits for what was not flushed.
 *
 * <p>What is held back counts as in flight. If the SDK refuses it then, it stays held as long as others in flight can
 * make room by their end; if not, it fails by its own callback, and if others of the batch may wait for its report, the
 * context is stopped, which reports all.
 *
 * <p>An SDK without {@code doca_task_submit_ex} gets every task at once.
 */
final class Submissions {

    /** So many tasks in a row go without a flush and a report at most, so that a queue is never full of them only. */
    private static final int LONGEST_RUN = 32;

    private static final boolean HAS_FLAGS = DocaLibrary.load().has("doca_task_submit_ex");
    private static final boolean HAS_FLUSH = DocaLibrary.load().has("doca_ctx_flush_tasks");

    private static final int NONE = DocaCommon.DOCA_TASK_SUBMIT_FLAG_NONE();
    private static final int FLUSH = DocaCommon.DOCA_TASK_SUBMIT_FLAG_FLUSH();
    private static final int OPTIMIZE_REPORTS = DocaCommon.DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS();

    private final ContextCore core;
    private final int longestRun;
    /** Whose batch is open. */
    private @Nullable Object batch;

    private boolean fewReports;
    private @Nullable TaskSlot held;
    /** How many tasks were submitted since the last one that was flushed and reported. */
    private int run;

    /** For a context with a number of tasks. */
    Submissions(ContextCore core, int tasks) {
        this.core = core;
        this.longestRun = Math.clamp(tasks / 2, 1, LONGEST_RUN);
    }

    void open(Object user, boolean withFewReports) {
        if (batch != null) {
            throw new IllegalStateException(core.description() + " has an open batch already: close that one first");
        }
        batch = user;
        // What an earlier batch has left waits for its report still.
        fewReports = withFewReports || (run > 0 && fewReports);
    }

    boolean isOpen(Object user) {
        return user.equals(batch);
    }

    void close(Object user) {
        if (isOpen(user)) {
            batch = null;
            flushOrWait();
        }
    }

    /** As {@link #flush()}; what is still held then has another chance with the next progress. */
    void flushOrWait() {
        if (flush() != DocaError.SUCCESS.code()) {
            Calls.settle();
        }
    }

    /** Submits a task beside the batch, behind all that is in it. When this throws, the task is not in flight. */
    void submit(TaskSlot slot) {
        int result = flush();
        if (result == DocaError.SUCCESS.code() && slot.task() == 0) {
            // What was held was refused for good, and the context has stopped and given back its idle tasks.
            result = DocaError.BAD_STATE.code();
        } else if (result == DocaError.SUCCESS.code()) {
            result = TaskCalls.submit(slot.task());
        }
        if (result != DocaError.SUCCESS.code()) {
            throw core.refused(result, "doca_task_submit", slot);
        }
        run = 0;
        core.tookOff(slot);
    }

    /** Submits a task in the open batch. When this throws, the task is not in flight. */
    void submitInBatch(TaskSlot slot) {
        if (!HAS_FLAGS) {
            submit(slot);
            return;
        }
        TaskSlot previous = held;
        if (previous == null) {
            core.engine().beginHolding();
        } else {
            pass(previous, slot);
        }
        held = slot;
        core.tookOff(slot);
    }

    /** Submits what was held until now, as another one follows it. */
    private void pass(TaskSlot previous, TaskSlot next) {
        boolean last = run + 1 >= longestRun;
        int result = TaskCalls.submit(previous.task(), last ? FLUSH : fewReports ? OPTIMIZE_REPORTS : NONE);
        if (result == DocaError.SUCCESS.code()) {
            run = last ? 0 : run + 1;
        } else if (canRetry(result)) {
            RuntimeException refusal = core.refused(result, "doca_task_submit_ex", next);
            push();
            throw refusal;
        } else {
            core.failUnsubmitted(previous, result, "doca_task_submit_ex");
            if (!core.isRunning()) {
                letGo();
                throw core.refused(DocaError.BAD_STATE.code(), "doca_task_submit_ex", next);
            }
        }
    }

    /**
     * Submits what is held, flushed and reported.
     *
     * @return why it is still held; success if nothing is
     */
    private int flush() {
        TaskSlot last = held;
        if (last == null) {
            return DocaError.SUCCESS.code();
        }
        int result = TaskCalls.submit(last.task());
        if (result == DocaError.SUCCESS.code()) {
            run = 0;
        } else if (canRetry(result)) {
            push();
            return result;
        } else {
            giveUp(last, result);
        }
        letGo();
        return DocaError.SUCCESS.code();
    }

    /** The context stops, or has stopped: what is held has this last chance. */
    void end() {
        batch = null;
        TaskSlot last = held;
        if (last != null) {
            int result = TaskCalls.submit(last.task());
            if (result != DocaError.SUCCESS.code()) {
                core.failUnsubmitted(last, result, "doca_task_submit");
            }
            letGo();
        }
        run = 0;
    }

    private void letGo() {
        held = null;
        core.engine().endHolding();
    }

    /** Whether the end of a task in flight can make the SDK take what it has refused. */
    private boolean canRetry(int result) {
        return DocaError.of(result).isTransient() && core.tasksInFlight() > 1;
    }

    /** Lets the device begin with what waits for a flush. */
    private void push() {
        if (HAS_FLUSH && run > 0) {
            TaskCalls.flush(core.nativeContext());
        }
    }

    private void giveUp(TaskSlot last, int result) {
        TaskFailedException failure = core.failUnsubmitted(last, result, "doca_task_submit");
        if (failure == null || run == 0) {
            // The context stops, which ends all, or nothing waits.
            return;
        }
        if (fewReports || !HAS_FLUSH) {
            core.stopAfter(failure);
        } else {
            push();
        }
        run = 0;
    }
}
