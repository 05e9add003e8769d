/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core;

import io.docajava.DocaException;
import java.io.Serial;

/**
 * All tasks of a context, buffers of an inventory or pool, or instances of a graph are in use. The message has their number and
 * the setting that allows more. Call again when one is free: progress frees tasks, and buffers and instances are freed by
 * closing them.
 */
public final class ResourceExhaustedException extends DocaException {

    @Serial
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception. Called by doca-java's modules.
     *
     * @param message the whole message
     */
    public ResourceExhaustedException(String message) {
        super(message);
    }

    /** {@return true: the same call may succeed when one is free} */
    @Override
    public boolean isRetryable() {
        return true;
    }
}
