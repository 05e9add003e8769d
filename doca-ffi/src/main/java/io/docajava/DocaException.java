/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava;

import java.io.Serial;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The superclass of all errors of the SDK, the device, the peer or the machine. Programs catch a subclass to react to one kind of
 * error, and this class to react to all of them. Mistakes of the caller throw an {@link IllegalArgumentException}, {@link
 * IllegalStateException} or {@link IndexOutOfBoundsException}.
 */
public class DocaException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception. Called by doca-java's modules.
     *
     * @param message the whole message
     */
    public DocaException(String message) {
        Objects.requireNonNull(message, "message");
        super(message);
    }

    /**
     * Creates an exception with a cause. Called by doca-java's modules.
     *
     * @param message the whole message, without the message of the cause
     * @param cause the original failure, or null
     */
    public DocaException(String message, @Nullable Throwable cause) {
        Objects.requireNonNull(message, "message");
        super(message, cause);
    }

    /**
     * Returns whether the same call may succeed later, after progress, or when operations, buffers or connections that are in use
     * now have ended.
     *
     * @return false, unless a subclass overrides this
     */
    public boolean isRetryable() {
        return false;
    }
}
