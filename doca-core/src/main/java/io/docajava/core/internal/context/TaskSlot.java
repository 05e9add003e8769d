/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.context;

import io.docajava.core.context.TaskFailedException;
import io.docajava.ffi.hot.TaskCalls;

/**
 * One task of a context: the native task, which is allocated at the first use and kept for the next ones, and what
 * becomes of a completion. A library extends it by the arguments of its tasks.
 */
public abstract class TaskSlot {

    private final int index;
    private int generation;
    private long task;
    private boolean inFlight;

    /** Creates a slot without a native task. */
    protected TaskSlot(int index) {
        this.index = index;
    }

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
        return inFlight;
    }

    /** The {@code struct doca_task *}, or 0 when none is allocated. */
    protected final long task() {
        return task;
    }

    /** The user data of the next native task: where its completions are to be brought. */
    protected final long nextUserData() {
        return userData(generation + 1, index);
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

    final void landed() {
        inFlight = false;
    }

    /** Gives the native task back to its context, which cannot become idle while one is out. */
    final void freeTask() {
        if (task != 0) {
            TaskCalls.free(task);
            task = 0;
        }
    }

    private static long userData(int generation, int index) {
        return (long) generation << Integer.SIZE | index;
    }
}
