/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import io.docajava.core.internal.sync.SyncEventEndImpl;

/**
 * An ended operation of a {@link SyncEventContext}, as its handler sees it. It is valid during the call of the handler, on that
 * thread: the next call describes another operation by the same object.
 */
public sealed interface SyncEventEnd permits SyncEventEndImpl {

    /** {@return the context that the operation was submitted to} */
    SyncEventContext event();

    /** {@return the type of the operation} */
    SyncEventTaskType type();

    /**
     * Returns the result of the operation.
     *
     * @return the value that was read, or the value before an addition. The SDK returns no value for other operations: their result is
     *     the number of the operation, which is the value that was set, the value that a wait has found, or the value from which a
     *     wait has found the event to differ. 0 if the operation has failed
     */
    long result();
}
