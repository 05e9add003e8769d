/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.context;

import io.docajava.core.context.PreparedTask;
import io.docajava.core.internal.operation.Operation;

/**
 * The base class of all prepared tasks. The methods of {@link PreparedTask} find the {@link PreparedOperation} here.
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

    /** Returns the text of {@link #toString()}, which the subclass has to declare: the title, the context and the status. */
    protected final String description() {
        return prepared.text(title());
    }
}
