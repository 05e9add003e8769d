/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core;

import io.docajava.DocaException;

/**
 * All tasks or connections of a context, all buffers of an inventory or pool, or all instances of a graph are in use. The message
 * states their number and the setting that raises it. Repeat the call after progress, which frees tasks, or after closing buffers,
 * connections or instances.
 */
public final class ResourceExhaustedException extends DocaException {

    private static final long serialVersionUID = 1;

    /**
     * Creates an exception. Called by doca-java's modules.
     *
     * @param message the whole message
     */
    public ResourceExhaustedException(String message) {
        super(message);
    }

    /** {@return true: the same call may succeed after a task, buffer or instance is free} */
    @Override
    public boolean isRetryable() {
        return true;
    }
}
