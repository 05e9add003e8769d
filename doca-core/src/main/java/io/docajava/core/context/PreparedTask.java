/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.context;

import io.docajava.DocaException;
import io.docajava.core.ConnectionEndedException;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * An operation that is prepared once and submitted many times. Submissions and completions allocate nothing.
 *
 * <p>The engine's thread uses the task. The task outlasts a stop and restart of its context, and is closed with the context. Only
 * doca-java's modules implement this interface.
 *
 * @param <T> the type of the task
 */
public interface PreparedTask<T extends PreparedTask<T>> extends AutoCloseable {

    /**
     * Sets the handler that is called when a submission of this task has ended, in place of the one before.
     *
     * @param newHandler called with this task by the engine's thread; it may submit the task again. Exceptions that it throws go to
     *     the engine's error handler
     * @return this task
     * @throws IllegalStateException if the task is in flight or closed
     */
    T onCompletion(Consumer<? super T> newHandler);

    /**
     * Submits the operation with the next progress ({@code doca_task_submit}).
     *
     * @throws IllegalArgumentException if the operands do not fit together or exceed a limit of the device, the access of a memory map
     *     does not allow the operation, or the operation cannot use a list of buffers or a sync event that was given to it
     * @throws IllegalStateException if the task is in flight or closed, a map or a buffer is closed, another operation in flight uses
     *     a buffer in a way that excludes this operation, or the connection or sync event of the operation cannot be used
     * @throws ConnectionEndedException if the connection of the operation has ended
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses the task
     */
    void submit();

    /** {@return whether the task is new or in flight, and otherwise whether its last submission succeeded or failed} */
    TaskStatus status();

    /** {@return whether the last submission has succeeded or failed; false for a task that is new or in flight} */
    boolean isDone();

    /** {@return the failure of the last submission; empty unless it has failed} */
    Optional<TaskFailedException> failure();

    /**
     * Returns the task to its context. A second call does nothing.
     *
     * @throws IllegalStateException if the task is in flight
     */
    @Override
    void close();
}
