/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.context;

import io.docajava.core.DocaException;
import io.docajava.core.context.TaskFailedException;
import io.docajava.ffi.DocaLibrary;
import io.docajava.ffi.completion.SeriesCounter;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.hot.TaskCalls;
import io.docajava.ffi.submission.TaskCommands;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tasks of a context that are prepared once, then submitted together again and again. What is to be done for that is
 * noted once, in commands that stay, and their completions are counted in native code: a submission costs Java the same,
 * however many there are.
 *
 * <p>The first slot leads the others: to the context they are in flight as long as it is.
 */
public final class TaskSeries implements AutoCloseable {

    /** So many tasks in a row go without a flush at most, so that the device begins while others are submitted. */
    private static final int LONGEST_RUN = 32;

    private static final boolean HAS_FLAGS = DocaLibrary.load().has("doca_task_submit_ex");
    private static final boolean HAS_FLUSH = DocaLibrary.load().has("doca_ctx_flush_tasks");

    private static final int NONE = DocaCommon.DOCA_TASK_SUBMIT_FLAG_NONE();

    private final ContextCore core;
    private final List<? extends TaskSlot> slots;
    private final TaskCommands commands;
    private final SeriesCounter counter = new SeriesCounter();

    /** How many commands there are up to the end of each task. */
    private final int[] commandEnds;

    /**
     * Makes leader and followers of slots. Native tasks that they have from other uses are given back.
     *
     * @param preparations how many commands prepare them, all in all
     */
    public TaskSeries(ContextCore core, List<? extends TaskSlot> slots, int preparations) {
        this.core = core;
        this.slots = slots;
        commandEnds = new int[slots.size()];
        commands = TaskCommands.open(core.engine().mode(), preparations + slots.size());
        for (TaskSlot slot : slots) {
            slot.freeTask();
            slot.follow(slots.getFirst(), slots.size());
        }
    }

    /** The user data of all of its native tasks. */
    public long taskData() {
        return counter.taskData();
    }

    /** Whether there are native tasks; a context that stops takes them away. */
    public boolean isArmed() {
        return slots.getFirst().task() != 0;
    }

    /** Whether it is in flight. */
    public boolean isInFlight() {
        return slots.getFirst().isInFlight();
    }

    /** Begins to note the commands anew, when the native tasks are to be allocated. */
    public TaskCommands arm() {
        commands.clear();
        return commands;
    }

    /** Notes the submission of the next slot's task, behind what prepares it. */
    public void addSubmission(int number) {
        long task = slots.get(number).task();
        if (isFlushed(number)) {
            commands.submit(task);
        } else {
            commands.submit(task, NONE);
        }
        commandEnds[number] = commands.size();
    }

    /** The same for a task that needs no other preparation than that the data segment of a buffer is emptied. */
    public void addSubmissionAfterReset(int number, long buf) {
        long task = slots.get(number).task();
        if (isFlushed(number)) {
            commands.resetAndSubmit(buf, task);
        } else {
            commands.resetAndSubmit(buf, task, NONE);
        }
        commandEnds[number] = commands.size();
    }

    private boolean isFlushed(int number) {
        return number == slots.size() - 1 || number % LONGEST_RUN == LONGEST_RUN - 1;
    }

    /** Takes back what was done since {@link #arm()}. */
    public void disarm() {
        slots.forEach(TaskSlot::freeTask);
        commands.clear();
    }

    /** All is noted. */
    public void armed() {
        counter.setUserData(slots.getFirst().userData());
    }

    /**
     * Submits all tasks, behind what a batch of the context holds back.
     *
     * @return null, or why the last ones were not submitted, while the others are in flight
     * @throws IllegalStateException if the context has stopped; nothing is in flight
     * @throws DocaException if the SDK refuses the first one; nothing is in flight
     */
    public @Nullable TaskFailedException submit() {
        TaskSlot leader = slots.getFirst();
        core.prepareAlone(leader);
        counter.setLeft(slots.size());
        commands.rewind();
        int result = commands.run();
        if (result == 0) {
            core.tookOff(leader);
            return null;
        }
        String function = commands.failedFunction();
        int submitted = 0;
        while (commandEnds[submitted] <= commands.position()) {
            submitted++;
        }
        if (submitted == 0) {
            throw core.refused(result, function, leader);
        }
        counter.setLeft(submitted);
        core.tookOff(leader);
        TaskFailedException refusal = core.refusedInSeries(slots.get(submitted), result, function);
        beginWithoutLast(refusal);
        return refusal;
    }

    /** Those that were submitted may wait for a flush, which the last one would have brought. */
    private void beginWithoutLast(TaskFailedException refusal) {
        if (!HAS_FLAGS || !core.isRunning()) {
            return;
        }
        if (HAS_FLUSH) {
            TaskCalls.flush(core.nativeContext());
        } else {
            core.stopAfter(refusal);
        }
    }

    /** Frees what is native, when it is not in flight. */
    @Override
    public void close() {
        // They lead to the counter.
        disarm();
        slots.forEach(TaskSlot::leaveSeries);
        commands.close();
        counter.close();
    }
}
