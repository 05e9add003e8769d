/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.context;

import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.GraphTask;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.internal.memory.BufferUses;
import io.docajava.core.internal.operation.Operation;
import io.docajava.core.internal.operation.OperationSink;
import io.docajava.core.internal.operation.RangePair;
import io.docajava.core.internal.state.ContextLife;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An operation that a user changes and submits many times. It is the implementation of a public task; {@link TaskBase}
 * delegates to it. A graph can run it instead: from {@link #lend} to {@link #takeBack} it belongs to the graph, which
 * does not call its handler.
 *
 * @param <T> the type of the public task
 */
public final class PreparedOperation<T> implements OperationSink {

    private static final int NEW = 0;
    private static final int IN_FLIGHT = 1;
    private static final int SUCCEEDED = 2;
    private static final int FAILED = 3;

    private final T task;
    private final Operation operation;
    private final ContextCore core;
    private final ContextLife life;

    /** The operands if they are ranges; null for buffers. */
    private @Nullable RangePair ranges;

    private @Nullable Consumer<? super T> handler;

    /** An int, because storing a reference would run a garbage collector barrier at each change. */
    private int status = NEW;

    private boolean hasResult;
    private @Nullable TaskFailedException failure;
    private boolean closed;

    /** The result of a task that a graph has run. */
    public enum Result {
        /** The task has succeeded. */
        SUCCEEDED,
        /** The task has failed, and so has the run. */
        FAILED,
        /** The run has failed, and it is unknown whether the task was submitted at all. */
        UNKNOWN,
        /** The run has not begun. */
        NOT_BEGUN
    }

    /**
     * Creates the implementation of a public task.
     *
     * @param operation an operation just taken from its pool, with its arguments
     */
    public PreparedOperation(T task, Operation operation, ContextCore core) {
        this.task = task;
        this.operation = operation;
        this.core = core;
        this.life = core.life();
        operation.hold();
    }

    /**
     * Returns the prepared operation of a task of a graph.
     *
     * @throws IllegalArgumentException if doca-java does not implement its class
     */
    public static PreparedOperation<?> of(GraphTask task) {
        if (task instanceof TaskBase<?> ours) {
            return ours.prepared();
        }
        throw new IllegalArgumentException("A node runs tasks of doca-java's contexts only, and not a "
                + task.getClass().getName());
    }

    /** Returns the operation, for reading. */
    public Operation operation() {
        return operation;
    }

    /**
     * Returns the operation, to change its arguments.
     *
     * @throws IllegalStateException if the context is closed, the task is in flight or closed, or another thread than
     *     the engine's calls
     */
    public Operation change() {
        checkIdle("change");
        return operation;
    }

    /**
     * Sets ranges as the operands of the next submission; null for buffers. The task is new, or the caller has called {@link
     * #change()}.
     */
    public void setRanges(@Nullable RangePair newRanges) {
        ranges = newRanges;
    }

    /** Returns whether the operands are ranges. */
    public boolean isOnRanges() {
        return ranges != null;
    }

    /** Sets the handler that is called with the public task when a submission has ended. */
    public void onCompletion(Consumer<? super T> newHandler) {
        checkIdle("change");
        handler = newHandler;
    }

    private void checkIdle(String purpose) {
        core.checkUsable();
        refuseInUse(purpose);
    }

    private void refuseInUse(String purpose) {
        if (closed) {
            throw new IllegalStateException("The task of the " + core.description() + " is closed");
        }
        refuseInFlight(purpose);
    }

    private void refuseInFlight(String purpose) {
        if (operation.isInFlight()) {
            throw new IllegalStateException("Cannot " + purpose + " a task in flight of the " + core.description()
                    + ": progress until it is done");
        }
    }

    /**
     * Submits the operation.
     *
     * @throws RuntimeException as {@link Operation#submit} does
     */
    public void submit() {
        if (life.canSubmit()) {
            refuseInUse("submit");
        } else {
            checkIdle("submit");
            core.checkRunning();
        }
        RangePair pair = ranges;
        if (pair == null) {
            operation.submit(this, null);
        } else {
            operation.submit(pair, this);
        }
        begin();
    }

    private void begin() {
        if (failure != null) {
            failure = null;
        }
        hasResult = false;
        status = IN_FLIGHT;
    }

    @Override
    public void succeeded(Operation same) {
        status = SUCCEEDED;
        hasResult = true;
        callHandler();
    }

    @Override
    public void failed(Operation same, TaskFailedException reason) {
        status = FAILED;
        failure = reason;
        callHandler();
    }

    private void callHandler() {
        Consumer<? super T> called = handler;
        if (called != null) {
            called.accept(task);
        }
    }

    /** Returns the core of the context; only that context's nodes can run the task. */
    public ContextCore core() {
        return core;
    }

    /**
     * Checks the task and prepares its native task for a graph. The check assumes the buffers as they will be when the
     * task runs, after all tasks that it depends on; those must be lent before it. If this throws, the task is not
     * lent.
     *
     * @param uses registers the buffers that the task uses
     * @param abandoned called if the task's completion will never be delivered
     * @throws IllegalArgumentException if the arguments of the task are wrong
     * @throws IllegalStateException if the task is closed or in flight, or a buffer cannot be used
     * @throws ContextNotRunningException if the context is not running
     */
    public void lend(BufferUses uses, Consumer<? super TaskFailedException> abandoned) {
        checkIdle("submit");
        core.checkRunning();
        RangePair pair = ranges;
        if (pair == null) {
            operation.lend(uses, new Abandonment(abandoned));
        } else {
            operation.lend(pair, new Abandonment(abandoned));
        }
        begin();
    }

    /** Returns the {@code struct doca_task *} of a lent task. */
    public long nativeTask() {
        return operation.task();
    }

    /** Returns the user data of a lent task, which no earlier or later task of the context has. */
    public long userData() {
        return operation.userData();
    }

    /** Reads the result of a lent task that has succeeded. It stays lent. */
    public void collectResult() {
        operation.collectResult();
        hasResult = true;
    }

    /** Returns the failure of a lent task with the given native status. It stays lent. */
    public TaskFailedException failure(int nativeStatus) {
        return core.lentTaskFailed(operation, nativeStatus);
    }

    /**
     * Takes a lent task back from its graph, and releases its buffers.
     *
     * @param reason the failure for {@link Result#FAILED}; otherwise null
     */
    public void takeBack(Result result, @Nullable TaskFailedException reason) {
        operation.takeBack();
        failure = reason;
        status = switch (result) {
            case SUCCEEDED -> SUCCEEDED;
            case FAILED -> FAILED;
            case UNKNOWN, NOT_BEGUN -> NEW;
        };
        if (result == Result.SUCCEEDED || result == Result.NOT_BEGUN) {
            core.takeBack(operation);
        } else {
            core.takeBackAndFree(operation);
        }
    }

    /** Returns the status that users see. */
    public TaskStatus status() {
        life.checkThreadToRead();
        return publicStatus();
    }

    private TaskStatus publicStatus() {
        return switch (status) {
            case IN_FLIGHT -> TaskStatus.IN_FLIGHT;
            case SUCCEEDED -> TaskStatus.SUCCEEDED;
            case FAILED -> TaskStatus.FAILED;
            default -> TaskStatus.NEW;
        };
    }

    /**
     * Returns the kind of the public task, its context and its status, for messages. Any thread may call; the status
     * may be outdated.
     */
    public String text(String kind) {
        return kind + " of the " + core.description() + ", " + (closed ? "closed" : publicStatus());
    }

    /** Returns whether the last submission has ended. */
    public boolean isDone() {
        life.checkThreadToRead();
        return status == SUCCEEDED || status == FAILED;
    }

    /** Returns whether the last submission has succeeded. */
    public boolean hasSucceeded() {
        life.checkThreadToRead();
        return status == SUCCEEDED;
    }

    /** Returns the result of the last submission; 0 unless it has succeeded. */
    public long result() {
        life.checkThreadToRead();
        return hasResult ? operation.result() : 0;
    }

    /** Returns why the last submission failed; empty unless it did. */
    public Optional<TaskFailedException> failure() {
        life.checkThreadToRead();
        return Optional.ofNullable(failure);
    }

    /**
     * Returns the operation to its pool. A second call does nothing.
     *
     * @throws IllegalStateException if the task is in flight
     */
    public void close() {
        core.checkThreadToClose();
        if (!closed) {
            refuseInFlight("close");
            closed = true;
            operation.free();
        }
    }

    /** The sink of a lent task. It is called only if the run is abandoned; the graph reports all other results. */
    private record Abandonment(Consumer<? super TaskFailedException> abandoned) implements OperationSink {

        @Override
        public void succeeded(Operation operation) {}

        @Override
        public void failed(Operation operation, TaskFailedException failure) {
            abandoned.accept(failure);
        }
    }
}
