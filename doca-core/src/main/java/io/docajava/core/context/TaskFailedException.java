/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.context;

import io.docajava.core.DocaCallException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A task failed. Where one task fails, a context may stop and fail all others in flight with the same error, although
 * nothing is wrong with them: {@link #reason()} tells the one from the others, and from those that a deliberate stop
 * ended.
 *
 * {@snippet :
 * switch (failure.reason()) {
 *     case CULPRIT -> giveUp(copy, failure);
 *     case COLLATERAL, STOPPED -> repeatAfterRestart(copy);
 * }
 * }
 *
 * <p>The SDK does not say which failure was the first. It is taken to be the one that it reports first, so that among
 * tasks that fail at the same moment another one may be named. A task that failed by itself just before a deliberate
 * stop counts as stopped.
 */
public final class TaskFailedException extends DocaCallException {

    private static final long serialVersionUID = 1;

    private final Reason reason;
    private final @Nullable TaskFailedException culprit;

    /** Why a task failed. */
    public enum Reason {
        /** By itself. If its context has stopped by itself, this is why. */
        CULPRIT,
        /** Another task failed, and the context stopped. This one would fail again only by chance. */
        COLLATERAL,
        /** The context was stopped or closed before the device was through with it. */
        STOPPED
    }

    /**
     * Made by doca-java's modules.
     *
     * @param message the whole message
     * @param code the status of the task
     * @param function the C function's name
     */
    public TaskFailedException(String message, int code, String function, Reason reason) {
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(function, "function");
        super(message, code, function);
        this.reason = Objects.requireNonNull(reason, "reason");
        this.culprit = null;
    }

    /** For a collateral of a failure that is known. */
    public TaskFailedException(String message, int code, String function, TaskFailedException culprit) {
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(function, "function");
        super(message, code, function);
        this.reason = Reason.COLLATERAL;
        this.culprit = Objects.requireNonNull(culprit, "culprit");
        initCause(culprit);
    }

    /** Why the task failed. */
    public Reason reason() {
        return reason;
    }

    /** Returns whether the task failed by itself: to submit it again as it is makes little sense. */
    public boolean isCulprit() {
        return reason == Reason.CULPRIT;
    }

    /**
     * The failure to blame: this one for a culprit, another task's for a collateral. Empty for a task that was stopped,
     * and for a collateral if it is not known why the context stopped.
     */
    public Optional<TaskFailedException> culprit() {
        return isCulprit() ? Optional.of(this) : Optional.ofNullable(culprit);
    }
}
