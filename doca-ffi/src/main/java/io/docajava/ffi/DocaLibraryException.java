/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi;

import io.docajava.DocaException;
import java.io.Serial;
import java.util.Objects;

/** No usable DOCA library: the message names every place that was tried, why it failed, and what to do next. */
public final class DocaLibraryException extends DocaException {

    @Serial
    private static final long serialVersionUID = 1;

    /** Creates the exception with what failed and what to do. */
    public DocaLibraryException(String message) {
        Objects.requireNonNull(message, "message");
        super(message);
    }

    /** Creates the exception with what failed and what to do, and the failure below it. */
    public DocaLibraryException(String message, Throwable cause) {
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(cause, "cause");
        super(message, cause);
    }
}
