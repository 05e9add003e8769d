/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.context;

import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.GraphTask;
import io.docajava.core.context.PreparedTask;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.internal.memory.BufferUses;
import io.docajava.core.internal.operation.Operation;
import io.docajava.core.internal.operation.OperationSink;
import io.docajava.core.internal.operation.RangePair;
import io.docajava.core.internal.state.ContextLife;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The base class of all prepared tasks: an operation that a user changes and submits many times. A graph can run it instead: from
 * {@link #lend} to {@link #takeBack} it belongs to the graph, which does not call its handler.
 *
 * @param <T> the type of the public task
 */
public abstract class AbstractTask<T extends PreparedTask<T>> implements PreparedTask<T>, OperationSink {

    private static final int NEW = 0;
    private static final int IN_FLIGHT = 1;
    private static final int SUCCEEDED = 2;
    private static final int FAILED = 3;

    private final Operation operation;
    private final AbstractContext context;
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
     * Creates a task.
     *
     * @param operation an operation just taken from its pool, with its arguments
     */
    @SuppressWarnings("this-escape") // stored, and not used before the task is submitted
    protected AbstractTask(Operation operation, AbstractContext context) {
        this.operation = operation;
        this.context = context;
        this.life = context.life();
        operation.hold();
    }

    /**
     * Returns the implementation of a task of a graph.
     *
     * @throws IllegalArgumentException if doca-java does not implement its class
     */
    public static AbstractTask<?> of(GraphTask task) {
        if (task instanceof AbstractTask<?> ours) {
            return ours;
        }
        throw new IllegalArgumentException("A node runs tasks of doca-java's contexts only, and not a "
                + task.getClass().getName());
    }

    /** Returns the operation, for reading. */
    public final Operation operation() {
        return operation;
    }

    /**
     * Returns the operation, to change its arguments.
     *
     * @throws IllegalStateException if the context is closed, the task is in flight or closed, or another thread than
     *     the engine's calls
     */
    public final Operation change() {
        checkIdle("change");
        return operation;
    }

    /**
     * Sets ranges as the operands of the next submission; null for buffers. The task is new, or the caller has called {@link
     * #change()}.
     */
    public final void setRanges(@Nullable RangePair newRanges) {
        ranges = newRanges;
    }

    /** Returns whether the operands are ranges. */
    public final boolean isOnRanges() {
        return ranges != null;
    }

    @SuppressWarnings("unchecked") // a task has itself as T
    private T self() {
        return (T) this;
    }

    @Override
    public final T onCompletion(Consumer<? super T> newHandler) {
        Objects.requireNonNull(newHandler, "newHandler");
        checkIdle("change");
        handler = newHandler;
        return self();
    }

    private void checkIdle(String purpose) {
        context.checkUsable();
        refuseInUse(purpose);
    }

    private void refuseInUse(String purpose) {
        if (closed) {
            throw new IllegalStateException("The task of the " + context.description() + " is closed");
        }
        refuseInFlight(purpose);
    }

    private void refuseInFlight(String purpose) {
        if (operation.isInFlight()) {
            throw new IllegalStateException("Cannot " + purpose + " a task in flight of the " + context.description()
                    + ": progress until it is done");
        }
    }

    @Override
    public final void submit() {
        RangePair given = ranges;
        if (given != null
                && life.isRunningHere()
                && !closed
                && !operation.isInFlight()
                && operation.submitBound(given, this)) {
            if (failure != null) {
                failure = null;
            }
            // No call may follow, as it may overflow the stack.
            hasResult = false;
            status = IN_FLIGHT;
            return;
        }
        if (life.canSubmit()) {
            refuseInUse("submit");
        } else {
            checkIdle("submit");
            context.checkRunning();
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
    public final void succeeded(Operation same) {
        status = SUCCEEDED;
        hasResult = true;
        callHandler();
    }

    @Override
    public final void failed(Operation same, TaskFailedException reason) {
        status = FAILED;
        failure = reason;
        callHandler();
    }

    private void callHandler() {
        Consumer<? super T> called = handler;
        if (called != null) {
            called.accept(self());
        }
    }

    /** Returns the core of the context; only that context's nodes can run the task. */
    public final AbstractContext context() {
        return context;
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
    public final void lend(BufferUses uses, Consumer<? super TaskFailedException> abandoned) {
        checkIdle("submit");
        context.checkRunning();
        RangePair pair = ranges;
        if (pair == null) {
            operation.lend(uses, new Abandonment(abandoned));
        } else {
            operation.lend(pair, new Abandonment(abandoned));
        }
        begin();
    }

    /** Returns the {@code struct doca_task *} of a lent task. */
    public final long nativeTask() {
        return operation.task();
    }

    /** Returns the user data of a lent task, which no earlier or later task of the context has. */
    public final long userData() {
        return operation.userData();
    }

    /** Reads the result of a lent task that has succeeded. It stays lent. */
    public final void collectResult() {
        operation.collectResult();
        hasResult = true;
    }

    /** Returns the failure of a lent task with the given native status. It stays lent. */
    public final TaskFailedException failure(int nativeStatus) {
        return context.lentTaskFailed(operation, nativeStatus);
    }

    /**
     * Takes a lent task back from its graph, and releases its buffers.
     *
     * @param reason the failure for {@link Result#FAILED}; otherwise null
     */
    public final void takeBack(Result result, @Nullable TaskFailedException reason) {
        operation.takeBack();
        failure = reason;
        status = switch (result) {
            case SUCCEEDED -> SUCCEEDED;
            case FAILED -> FAILED;
            case UNKNOWN, NOT_BEGUN -> NEW;
        };
        if (result == Result.SUCCEEDED || result == Result.NOT_BEGUN) {
            context.takeBack(operation);
        } else {
            context.takeBackAndFree(operation);
        }
    }

    @Override
    public final TaskStatus status() {
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

    /** Returns the first words of {@link #toString()}, such as "Copy task". */
    protected abstract String title();

    /** Returns the kind of the task, its context and its status, which may be outdated. Any thread may call. */
    @Override
    public final String toString() {
        return title() + " of the " + context.description() + ", " + (closed ? "closed" : publicStatus());
    }

    @Override
    public final boolean isDone() {
        life.checkThreadToRead();
        return status == SUCCEEDED || status == FAILED;
    }

    /** Returns whether the last submission has succeeded. */
    public final boolean hasSucceeded() {
        life.checkThreadToRead();
        return status == SUCCEEDED;
    }

    /** Returns the result of the last submission; 0 unless it has succeeded. */
    public final long result() {
        life.checkThreadToRead();
        return hasResult ? operation.result() : 0;
    }

    @Override
    public final Optional<TaskFailedException> failure() {
        life.checkThreadToRead();
        return Optional.ofNullable(failure);
    }

    @Override
    public final void close() {
        context.checkThreadToClose();
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
