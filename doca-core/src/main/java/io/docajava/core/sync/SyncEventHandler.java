/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import io.docajava.core.context.TaskFailedException;

/**
 * Told how tasks of a {@link SyncEventContext} end. One handler may serve any number of them; nothing is allocated for it.
 *
 * <p>Both methods run on the thread of the engine, inside its progress. The task is free again by then: the handler may use it
 * for what is next. What it throws goes to the engine's error handler.
 */
public interface SyncEventHandler {

    /**
     * A task succeeded.
     *
     * @param result the value that was read, or that was there before an addition. For the others the number that they were
     *     given, as the SDK reports no value: what the event was set to, what a wait was to find, or, of a wait for another
     *     value, what it was compared with, which the event was not
     */
    void succeeded(SyncEventContext event, long result);

    /** A task failed. Its context stops, unless that is for a reason that passes. */
    void failed(SyncEventContext event, TaskFailedException failure);
}
