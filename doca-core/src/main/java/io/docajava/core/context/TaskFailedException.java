/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.context;

import io.docajava.core.DocaCallException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A task failed. When one task fails, its context may stop, which aborts all other tasks in flight with the same error. {@link
 * #reason()} distinguishes the root cause from aborted tasks and from tasks that a deliberate stop has cancelled.
 *
 * {@snippet :
 * switch (failure.reason()) {
 *     case ROOT_CAUSE -> giveUp(copy, failure);
 *     case ABORTED, CANCELLED -> repeatAfterRestart(copy);
 * }
 * }
 *
 * <p>The SDK does not mark the first failure. doca-java takes the failure that the SDK reports first for the root cause, which
 * may be wrong if several tasks fail at the same moment, or if a context reports tasks together ({@code optimizeReports(true)} of
 * its builder): then tasks before the failed one fail as well, and the message says so. A task that failed by itself just before a
 * deliberate stop counts as {@link Reason#CANCELLED}.
 */
public final class TaskFailedException extends DocaCallException {

    private static final long serialVersionUID = 1;

    private final Reason reason;

    /** The failure that made the context stop, or null. */
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
     * Creates an exception without a cause. Called by doca-java's modules.
     *
     * @param message the whole message
     * @param code the status of the task, a {@code doca_error_t}
     * @param function the name of the C type of the task, or of the C function that refused the task
     * @param reason why the task failed; {@link Reason#ROOT_CAUSE} makes this exception the root cause
     */
    public TaskFailedException(String message, int code, String function, Reason reason) {
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(function, "function");
        super(message, code, function);
        this.reason = Objects.requireNonNull(reason, "reason");
        this.rootCause = null;
    }

    /**
     * Creates an exception for a task that was aborted because another task failed. Called by doca-java's modules.
     *
     * @param message the whole message
     * @param code the status of the task, a {@code doca_error_t}
     * @param function the name of the C type of the task, or of the C function that refused the task
     * @param rootCause the failure that made the context stop; it becomes the cause of this exception
     */
    public TaskFailedException(String message, int code, String function, TaskFailedException rootCause) {
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(function, "function");
        super(message, code, function);
        this.reason = Reason.ABORTED;
        this.rootCause = Objects.requireNonNull(rootCause, "rootCause");
        initCause(rootCause);
    }

    /** {@return why the task failed; only {@code ROOT_CAUSE} is a fault of the task itself} */
    public Reason reason() {
        return reason;
    }

    /** {@return whether the task itself failed; if submitted unchanged, it will probably fail again} */
    public boolean isRootCause() {
        return reason == Reason.ROOT_CAUSE;
    }

    /**
     * Returns the failure that made this task fail.
     *
     * @return this exception if it is the root cause, or another one if the task was aborted; empty if the task was cancelled, or
     *     was aborted for an unknown reason
     */
    public Optional<TaskFailedException> rootCause() {
        return isRootCause() ? Optional.of(this) : Optional.ofNullable(rootCause);
    }
}
