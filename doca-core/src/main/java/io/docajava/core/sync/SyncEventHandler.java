/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import io.docajava.core.context.TaskFailedException;

/**
 * Receives the completions of operations of a {@link SyncEventContext}. One handler may serve any number of operations.
 *
 * <p>The engine's thread calls both methods during progress. The operation's task is free by then, so the handler may submit
 * another operation. Exceptions that it throws go to the engine's error handler.
 */
public interface SyncEventHandler {

    /**
     * Receives the result of an operation that has succeeded.
     *
     * @param event the context that the operation was submitted to
     * @param result the value that was read, or the value before an addition. The SDK returns no value for other operations: their
     *     result is the number of the operation, which is the value that was set, the value that a wait has found, or the value
     *     from which a wait has found the event to differ
     */
    void succeeded(SyncEventContext event, long result);

    /**
     * Receives the failure of an operation. The context stops after it, unless the failure {@linkplain
     * TaskFailedException#isRetryable() is retryable}.
     *
     * @param event the context that the operation was submitted to
     * @param failure says whether this operation is the root cause
     */
    void failed(SyncEventContext event, TaskFailedException failure);
}
