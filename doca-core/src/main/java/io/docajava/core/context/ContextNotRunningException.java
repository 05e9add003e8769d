/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.context;

import io.docajava.DocaException;
import java.io.Serial;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A context has stopped, is stopping, or is still starting, and takes no operations. If it stopped because an operation failed,
 * the cause is that {@link TaskFailedException}. {@link Context#restart()} makes a stopped context usable again.
 */
public final class ContextNotRunningException extends DocaException {

    @Serial
    private static final long serialVersionUID = 1;

    private final ContextState state;

    /**
     * Creates an exception. Called by doca-java's modules.
     *
     * @param message the whole message
     * @param state the state of the context
     * @param rootCause the failure that made the context stop, or null
     */
    public ContextNotRunningException(String message, ContextState state, @Nullable TaskFailedException rootCause) {
        Objects.requireNonNull(message, "message");
        super(message, rootCause);
        this.state = Objects.requireNonNull(state, "state");
    }

    /** Returns the state of the context when the call was made. */
    public ContextState state() {
        return state;
    }

    /** Returns true if the context is starting: it takes operations when progress has brought it to its running state. */
    @Override
    public boolean isRetryable() {
        return state == ContextState.STARTING;
    }
}
