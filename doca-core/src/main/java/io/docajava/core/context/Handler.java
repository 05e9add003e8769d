/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.context;

import org.jspecify.annotations.Nullable;

/**
 * Receives the ends of operations. One handler may serve any number of operations; calling it allocates nothing.
 *
 * <p>The engine's thread calls it during progress, in the order in which the SDK reports the ends. The operation's slot is free by
 * then, so the handler may submit the next operation, even if the context has no other slot. It cannot progress or wait. Exceptions
 * that it throws go to the engine's error handler.
 *
 * @param <R> the description of an ended operation
 */
@FunctionalInterface
public interface Handler<R> {

    /**
     * Receives the end of an operation.
     *
     * @param end describes the operation; valid only during the call
     * @param failure says why the operation has failed; null if it has succeeded
     */
    void ended(R end, @Nullable TaskFailedException failure);
}
