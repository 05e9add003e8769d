/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.context;

import io.docajava.core.DocaCallException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A task failed. Where one task fails, a context may stop and fail all others in flight with the same error, although
 * nothing is wrong with them: {@link #reason()} distinguishes the one from the others, and from those that a deliberate stop
 * ended.
 *
 * {@snippet :
 * switch (failure.reason()) {
 *     case ROOT_CAUSE -> giveUp(copy, failure);
 *     case ABORTED, CANCELLED -> repeatAfterRestart(copy);
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
    private final @Nullable TaskFailedException rootCause;

    /** Why a task failed. */
    public enum Reason {
        /** The task itself failed. If its context has stopped by itself, this failure is the cause. */
        ROOT_CAUSE,
        /** Another task failed and the context stopped, which aborted this one. After a restart it can be submitted again. */
        ABORTED,
        /** The context was stopped or closed before the task had completed. */
        CANCELLED
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
        this.rootCause = null;
    }

    /** For a task that was aborted by a known failure. */
    public TaskFailedException(String message, int code, String function, TaskFailedException rootCause) {
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(function, "function");
        super(message, code, function);
        this.reason = Reason.ABORTED;
        this.rootCause = Objects.requireNonNull(rootCause, "rootCause");
        initCause(rootCause);
    }

    /** Why the task failed. */
    public Reason reason() {
        return reason;
    }

    /** Returns whether the task itself failed, so that submitting it again unchanged makes little sense. */
    public boolean isRootCause() {
        return reason == Reason.ROOT_CAUSE;
    }

    /**
     * The failure to blame: this one if it is the root cause, another one if this was aborted. Empty for a task that was cancelled,
     * and for one that was aborted if it is not known why the context stopped.
     */
    public Optional<TaskFailedException> rootCause() {
        return isRootCause() ? Optional.of(this) : Optional.ofNullable(rootCause);
    }
}
