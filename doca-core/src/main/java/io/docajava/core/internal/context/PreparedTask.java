/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.context;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskStatus;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a task stands that its user prepares once and submits many times, and what is refused meanwhile: the part that is the
 * same for the tasks of all libraries. What a submission gives is up to them.
 */
public final class PreparedTask {

    private static final int NEW = 0;
    private static final int IN_FLIGHT = 1;
    private static final int SUCCEEDED = 2;
    private static final int FAILED = 3;

    private final ContextCore core;
    private final TaskSlot slot;

    /** A number: a reference would be work for the garbage collector at each change. */
    private int status = NEW;

    private @Nullable TaskFailedException failure;
    private boolean closed;

    public PreparedTask(ContextCore core, TaskSlot slot) {
        this.core = core;
        this.slot = slot;
    }

    /**
     * Refuses what cannot be done with it now.
     *
     * @param purpose a verb
     * @throws IllegalStateException if the context is closed, the task is in flight or closed, or the thread is the wrong one
     */
    public void checkIdle(String purpose) {
        core.checkUsable();
        refuseInUse(purpose);
    }

    /** {@link #checkIdle} where the thread and the context have been checked. */
    public void refuseInUse(String purpose) {
        if (closed) {
            throw new IllegalStateException("The task of the " + core.description() + " is closed");
        }
        refuseInFlight(purpose);
    }

    private void refuseInFlight(String purpose) {
        if (slot.isInFlight()) {
            throw new IllegalStateException("Cannot " + purpose + " a task in flight of the " + core.description()
                    + ": progress until it is done");
        }
    }

    /** It is submitted, or lent to a graph. */
    public void tookOff() {
        if (failure != null) {
            failure = null;
        }
        status = IN_FLIGHT;
    }

    /** The last submission has succeeded. */
    public void succeeded() {
        status = SUCCEEDED;
    }

    /** The last submission has failed. */
    public void failed(TaskFailedException reason) {
        status = FAILED;
        failure = reason;
    }

    /** See {@link NodeTask#giveBack}. What is to be read of the slot has been read. */
    public void giveBack(NodeTask.Result result, @Nullable TaskFailedException reason) {
        failure = reason;
        status = switch (result) {
            case SUCCEEDED -> SUCCEEDED;
            case FAILED -> FAILED;
            case UNKNOWN, NOT_BEGUN -> NEW;
        };
        if (result == NodeTask.Result.SUCCEEDED || result == NodeTask.Result.NOT_BEGUN) {
            core.giveBack(slot);
        } else {
            core.discard(slot);
        }
    }

    /** What users see of it. */
    public TaskStatus status() {
        core.checkThread();
        return switch (status) {
            case IN_FLIGHT -> TaskStatus.IN_FLIGHT;
            case SUCCEEDED -> TaskStatus.SUCCEEDED;
            case FAILED -> TaskStatus.FAILED;
            default -> TaskStatus.NEW;
        };
    }

    /** Whether the last submission has ended, well or not. */
    public boolean isDone() {
        core.checkThread();
        return status == SUCCEEDED || status == FAILED;
    }

    /** Whether the last submission has ended well. */
    public boolean hasSucceeded() {
        core.checkThread();
        return status == SUCCEEDED;
    }

    /** Why the last submission failed; empty unless it did. */
    public Optional<TaskFailedException> failure() {
        core.checkThread();
        return Optional.ofNullable(failure);
    }

    /**
     * Closes it.
     *
     * @return whether its slot is to be given back; not if it was closed before
     * @throws IllegalStateException if it is in flight
     */
    public boolean close() {
        core.checkThread();
        if (closed) {
            return false;
        }
        refuseInFlight("close");
        closed = true;
        return true;
    }
}
