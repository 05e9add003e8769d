/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.state;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskFailedException.Reason;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a context is not running: a call, or the failure of a task. It tells the failure that stopped the
 * context from those that follow, which the SDK reports alike. The SDK may report the failure before or after the
 * change of the state. {@link ContextLife} owns it, and begins another one when the context is started again.
 */
public final class StopCause {

    private boolean requested;
    /**
     * The latest failure after which the context was still running. {@link #suspectRound} is the round of its delivery.
     */
    private @Nullable TaskFailedException suspect;

    private long suspectRound;
    private volatile @Nullable TaskFailedException rootCause;

    /** Returns the failure that made the context stop by itself; null if unknown. Any thread may call. */
    @Nullable
    public TaskFailedException rootCause() {
        return rootCause;
    }

    /** Returns whether a call has stopped the context. False if it stopped by itself. */
    public boolean isRequested() {
        return requested;
    }

    void request() {
        requested = true;
    }

    /** Records that the SDK has refused the stop, and the context runs on. */
    void withdraw() {
        requested = false;
    }

    /**
     * Called when the context has been found not running.
     *
     * @param round the current round of the engine
     */
    void left(long round) {
        // The state changes in the round of the failure or in the next one. A later change has another cause.
        if (!requested && rootCause == null && suspect != null && round - suspectRound <= 1) {
            rootCause = suspect;
        }
    }

    /** Returns the reason for a failure that is being delivered. */
    public Reason reason(boolean running) {
        if (requested) {
            return Reason.CANCELLED;
        }
        return running || rootCause == null ? Reason.ROOT_CAUSE : Reason.ABORTED;
    }

    /** Records a delivered failure for which {@link #reason} returned {@link Reason#ROOT_CAUSE}. */
    public void blame(TaskFailedException failure, boolean running, long round) {
        if (!running) {
            rootCause = failure;
        } else if (suspect == null || round - suspectRound > 1) {
            suspect = failure;
            suspectRound = round;
        }
    }

    /** Returns the continuation of a message that begins with the state of the context. */
    String explain() {
        if (requested) {
            return ": it was stopped";
        }
        return ": it stopped itself" + (rootCause == null ? "" : " after an operation failed");
    }

    /** Returns the end of a message, after {@link #explain()}, that tells the user how to go on. */
    String advise(boolean isRestartable) {
        if (!isRestartable) {
            return "; it cannot be started again: close it and make a new one";
        }
        return requested ? "; restart() starts it again" : "; restart() makes it usable again";
    }
}
