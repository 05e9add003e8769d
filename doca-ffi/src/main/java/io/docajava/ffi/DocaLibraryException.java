/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi;

import io.docajava.DocaException;
import java.io.Serial;
import java.util.Objects;

/** No usable DOCA library was found. The message names each place that was tried, why it failed, and what to do next. */
public final class DocaLibraryException extends DocaException {

    @Serial
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception. Called by doca-java's modules.
     *
     * @param message the whole message: what failed, and what to do next
     */
    public DocaLibraryException(String message) {
        Objects.requireNonNull(message, "message");
        super(message);
    }

    /**
     * Creates an exception with a cause. Called by doca-java's modules.
     *
     * @param message the whole message: what failed, and what to do next
     * @param cause the original failure, not null
     */
    public DocaLibraryException(String message, Throwable cause) {
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(cause, "cause");
        super(message, cause);
    }
}
