/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.state;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskFailedException.Reason;
import org.jspecify.annotations.Nullable;

/**
 * Why a context is not running, and so who is to blame for the tasks that fail then. The SDK reports all of them alike.
 * It may report the failure that makes a context stop before it changes the state, or after that.
 */
public final class StopCause {

    private boolean requested;
    /** The latest failure that the context has not stopped after, as far as was seen, and the round of its delivery. */
    private @Nullable TaskFailedException suspect;

    private long suspectRound;
    private volatile @Nullable TaskFailedException rootCause;

    /** The failure that made the context stop by itself, if it is known. Any thread may ask. */
    @Nullable
    public TaskFailedException rootCause() {
        return rootCause;
    }

    /** Returns whether a call has stopped the context, and it did not stop by itself. */
    public boolean isRequested() {
        return requested;
    }

    /** A call stops the context. */
    void request() {
        requested = true;
    }

    /** The context is started anew. */
    void forget() {
        requested = false;
        suspect = null;
        rootCause = null;
    }

    /** As another one; for a start that failed. */
    void restore(StopCause before) {
        requested = before.requested;
        rootCause = before.rootCause;
    }

    StopCause copy() {
        StopCause copy = new StopCause();
        copy.restore(this);
        return copy;
    }

    /**
     * The context is seen to have left its running state.
     *
     * @param round counts the deliveries of the engine
     */
    void left(long round) {
        // The change comes with the failure, or right behind: a context that went on for longer did not mind it.
        if (!requested && rootCause == null && suspect != null && round - suspectRound <= 1) {
            rootCause = suspect;
        }
    }

    /** The reason for a failure that is delivered now. */
    public Reason reason(boolean running) {
        if (requested) {
            return Reason.CANCELLED;
        }
        return running || rootCause == null ? Reason.ROOT_CAUSE : Reason.ABORTED;
    }

    /** A failure is delivered, of which {@link #reason} returned {@link Reason#ROOT_CAUSE}. */
    public void blame(TaskFailedException failure, boolean running, long round) {
        if (!running) {
            rootCause = failure;
        } else if (suspect == null || round - suspectRound > 1) {
            suspect = failure;
            suspectRound = round;
        }
    }

    /** The rest of a sentence that says in which state the context is. */
    String explain() {
        if (requested) {
            return ": it was stopped; restart() starts it again";
        }
        TaskFailedException failure = rootCause;
        return ": it stopped itself"
                + (failure == null ? "" : " after an operation failed")
                + "; restart() makes it usable again";
    }
}
