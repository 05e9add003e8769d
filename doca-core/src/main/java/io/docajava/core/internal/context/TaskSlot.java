/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.context;

import io.docajava.core.context.TaskFailedException;
import io.docajava.ffi.hot.TaskCalls;
import org.jspecify.annotations.Nullable;

/**
 * One task of a context: the native task, which is allocated at the first use and kept for the next ones, and what
 * becomes of a completion. A library extends it by the arguments of its tasks.
 */
public abstract class TaskSlot {

    private final int index;
    private int generation;
    private long task;
    private boolean inFlight;
    /** Whether it is a graph that submits the task, perhaps much later. */
    private boolean lent;
    /** The first one of the series that this slot is part of. */
    private @Nullable TaskSlot leader;
    /** How many tasks are submitted with this one, itself included. */
    private int tasks = 1;

    /** Creates a slot without a native task. */
    protected TaskSlot(int index) {
        this.index = index;
    }

    /** The task succeeded, and the native task is still there: for results that it has. Runs no code of a user, and throws nothing. */
    protected void collect() {}

    /** The task succeeded. The slot is out of flight; buffers are to be released before any code of a user runs. */
    protected abstract void succeeded();

    /** The task failed. The slot is out of flight; buffers are to be released before any code of a user runs. */
    protected abstract void failed(TaskFailedException failure);

    /** The task was not submitted, and perhaps not all that was to prepare it was done. */
    protected abstract void refused();

    /**
     * Nobody will learn how the task ends. Whoever waits is to be told, but the device may still be at the buffers:
     * they stay in use for ever.
     */
    protected abstract void abandoned(RuntimeException reason);

    /** The C function or task type that failed, for messages. */
    protected abstract String function();

    /** What is being tried, in domain words, for messages: "copying 4096 bytes". */
    protected abstract String attempt();

    /** Whether the task is submitted, be it in a batch that holds it back, and its completion not delivered yet. */
    public final boolean isInFlight() {
        TaskSlot first = leader;
        return first == null ? inFlight : first.inFlight;
    }

    /** The slot of a series, of which this one is the leader, that a native task of its library belongs to; this one if it leads none. */
    protected TaskSlot member(long nativeTask) {
        return this;
    }

    /** Becomes part of a series of tasks, whose completions come to the leader. */
    public final void follow(TaskSlot newLeader, int tasksOfSeries) {
        leader = newLeader;
        tasks = tasksOfSeries;
    }

    /** Leaves the series. */
    public final void leaveSeries() {
        leader = null;
        tasks = 1;
    }

    /** Whether the slot is part of a series. */
    public final boolean isInSeries() {
        return leader != null;
    }

    /** How many tasks are submitted and end with this one. */
    final int tasks() {
        return tasks;
    }

    /** The {@code struct doca_task *}, or 0 when none is allocated. */
    protected final long task() {
        return task;
    }

    /** The user data of the next native task: where its completions are to be brought. */
    protected final long nextUserData() {
        return userData(generation + 1, index);
    }

    /** The user data of the present native task. */
    protected final long userData() {
        return userData(generation, index);
    }

    /** Takes over the native task that was allocated with {@link #nextUserData()}. */
    protected final void adopt(long newTask) {
        task = newTask;
        generation++;
    }

    final int index() {
        return index;
    }

    /** Whether a completion with this user data is one of the present native task. */
    final boolean isAddressedBy(long userData) {
        return inFlight && userData(generation, index) == userData;
    }

    final void tookOff() {
        inFlight = true;
    }

    /** In flight as well, for the run of a graph. */
    final void lend() {
        lent = true;
    }

    final void landed() {
        inFlight = false;
        lent = false;
    }

    /** What is being tried, and that it is a graph that does so. */
    final String attemptInFlight() {
        return lent ? attempt() + " (a task of a graph that runs)" : attempt();
    }

    /** Gives the native task back to its context, which cannot become idle while one is out. */
    protected final void freeTask() {
        if (task != 0) {
            TaskCalls.free(task);
            task = 0;
        }
    }

    /** Never negative, which is for series. */
    private static long userData(int generation, int index) {
        return (long) (generation & Integer.MAX_VALUE) << Integer.SIZE | index;
    }
}
