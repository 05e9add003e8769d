/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.context;

import io.docajava.core.context.PreparedTask;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.internal.operation.Operation;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The base class of all prepared tasks. It delegates every method of {@link PreparedTask} to a {@link
 * PreparedOperation}.
 *
 * @param <T> the type of the public task
 */
public abstract class TaskBase<T extends TaskBase<T>> implements PreparedTask<T> {

    private final PreparedOperation<T> prepared;

    /**
     * Creates a task for an operation.
     *
     * @param operation an operation just taken from its pool, with its arguments
     * @param core the core of its context
     */
    @SuppressWarnings("this-escape") // stored, and not used before the task is submitted
    protected TaskBase(Operation operation, ContextCore core) {
        prepared = new PreparedOperation<>(self(), operation, core);
    }

    @SuppressWarnings("unchecked") // each subclass names itself as T
    private T self() {
        return (T) this;
    }

    /** {@return the prepared operation of this task} */
    protected final PreparedOperation<T> prepared() {
        return prepared;
    }

    /** {@return the first words of {@link #toString()}, such as "Copy task"} */
    protected abstract String title();

    @Override
    public final T onCompletion(Consumer<? super T> newHandler) {
        prepared.onCompletion(Objects.requireNonNull(newHandler, "newHandler"));
        return self();
    }

    @Override
    public final void submit() {
        prepared.submit();
    }

    @Override
    public final TaskStatus status() {
        return prepared.status();
    }

    @Override
    public final boolean isDone() {
        return prepared.isDone();
    }

    @Override
    public final Optional<TaskFailedException> failure() {
        return prepared.failure();
    }

    @Override
    public final void close() {
        prepared.close();
    }

    /** {@return the title, the context and the status} Any thread may call. */
    @Override
    public final String toString() {
        return prepared.text(title());
    }
}
