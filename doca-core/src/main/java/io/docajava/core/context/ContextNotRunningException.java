/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.context;

import io.docajava.DocaException;
import java.io.Serial;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A context accepts no operations because it has stopped, is stopping, or is still starting. If it stopped because an operation
 * failed, that operation's {@link TaskFailedException} is the cause. {@link Context#restart()} starts a stopped context again.
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

    /** {@return the state of the context at the time of the refused call; never {@code RUNNING}} */
    public ContextState state() {
        return state;
    }

    /** {@return whether the context is starting, so that it accepts operations after progress has completed the start} */
    @Override
    public boolean isRetryable() {
        return state == ContextState.STARTING;
    }
}
