/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.operation;

import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskFailedException.Reason;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.engine.Delivery;
import io.docajava.core.internal.state.ContextLife;
import io.docajava.core.internal.state.StopCause;
import java.util.List;
import java.util.stream.Stream;

/**
 * Creates the exceptions of failed operations of one context. Each exception has the {@link Reason} of the failure,
 * such as root cause or aborted. The context's core and its {@link TaskQueue} call it.
 */
public final class TaskFailures {

    private static final String OR_A_LATER_ONE =
            ". The cause may be an operation submitted later, as the context reports them together";

    private static final String OR_ITSELF = "; or it is the cause itself, as the context reports operations together";

    private final ContextLife life;

    public TaskFailures(ContextLife life) {
        this.life = life;
    }

    /**
     * Returns the exception of a failure that is being delivered, and records a root cause in the context's {@link
     * StopCause}.
     */
    public TaskFailedException completed(Operation operation, int status) {
        StopCause cause = life.cause();
        boolean passes = DocaError.of(status).isTransient();
        life.refreshOrReport();
        Reason reason = cause.reason(passes || life.isRunning());
        Delivery delivery = life.engine().delivery();
        List<String> reasons = operation.meaning(status) == null
                ? delivery.reasonsOrHint(operation.task(), operation.typed())
                : delivery.reasonsOf(operation.task(), operation.typed());
        TaskFailedException failure = failure(operation, status, operation.function(), reasons, reason);
        if (reason == Reason.ROOT_CAUSE && !passes) {
            cause.blame(failure, life.isRunning(), life.engine().round());
        }
        return failure;
    }

    /**
     * Returns the exception of a task that the SDK has refused, when other tasks submitted with it are in flight. The caller has
     * tried to read the state of the context since the refusal, and has reported a failure of that.
     *
     * @param reasons the errors that the SDK logged
     */
    TaskFailedException refused(Operation operation, int result, String function, List<String> reasons) {
        return failure(operation, result, function, reasons, reasonOfRefusal());
    }

    /** Returns the exception of a task that was not submitted before the context stopped. */
    TaskFailedException refusedByStop(Operation operation, int result, String function, List<String> reasons) {
        return failure(operation, result, function, reasons, reasonOfStop());
    }

    /** Returns the exception of an operation with several parts, when a later part was refused. */
    TaskFailedException refusedPart(String message, String function, Throwable refusal) {
        life.refreshOrReport();
        Reason reason = reasonOfRefusal();
        int code = refusal instanceof DocaCallException answer ? answer.code() : DocaError.BAD_STATE.code();
        TaskFailedException rootCause = life.cause().rootCause();
        if (reason == Reason.ABORTED && rootCause != null) {
            return new TaskFailedException(message, code, function, rootCause);
        }
        TaskFailedException failure = new TaskFailedException(message, code, function, reason);
        failure.initCause(refusal);
        return failure;
    }

    private Reason reasonOfRefusal() {
        return life.isRunning() ? life.cause().reason(true) : reasonOfStop();
    }

    private Reason reasonOfStop() {
        return life.cause().isRequested() ? Reason.CANCELLED : Reason.ABORTED;
    }

    /** Returns the errors that the SDK has logged for a failure, and what the result means for the operation. */
    static List<String> reasons(Operation operation, int result, List<String> logged) {
        String meaning = operation.meaning(result);
        return meaning == null
                ? logged
                : Stream.concat(logged.stream(), Stream.of(meaning)).toList();
    }

    private TaskFailedException failure(
            Operation operation, int result, String function, List<String> logged, Reason reason) {
        List<String> reasons = reasons(operation, result, logged);
        TaskFailedException rootCause = life.cause().rootCause();
        if (reason == Reason.ABORTED && rootCause != null) {
            // The SDK logs the reasons of the first failure for all tasks of a stopping context.
            String text = Calls.message(result, function, operation.attempt(), List.of())
                    + ". It was aborted, as the context stopped after another operation failed"
                    + (operation.isReportedTogether() ? OR_ITSELF : "");
            return new TaskFailedException(text, result, function, rootCause);
        }
        String text = switch (reason) {
            case ROOT_CAUSE ->
                Calls.message(result, function, operation.attempt(), reasons)
                        + (operation.isReportedTogether() ? OR_A_LATER_ONE : "");
            case CANCELLED ->
                Calls.message(result, function, operation.attempt(), List.of())
                        + ". It was aborted, as the context was stopped";
            case ABORTED ->
                Calls.message(result, function, operation.attempt(), reasons)
                        + ". It was aborted, as the context stopped by itself";
        };
        return new TaskFailedException(text, result, function, reason);
    }
}
