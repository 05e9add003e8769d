/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi;

import io.docajava.DocaException;
import java.io.Serial;
import java.util.Objects;

/**
 * The loaded DOCA libraries lack a function, or its library cannot be opened. The functions of other libraries can be used. The
 * message has the reason; the next call tries again to open a library that exists.
 */
public final class DocaFunctionException extends DocaException {

    @Serial
    private static final long serialVersionUID = 1;

    /** The short name of the library. */
    private final String library;

    /** The name of the C function. */
    private final String function;

    /**
     * Creates an exception. Called by doca-java's modules.
     *
     * @param library the short name of the library, such as {@code dma}
     * @param function the name of the C function that cannot be called
     * @param message the whole message, with the reason and the DOCA release that has the function
     */
    public DocaFunctionException(String library, String function, String message) {
        Objects.requireNonNull(library, "library");
        Objects.requireNonNull(function, "function");
        Objects.requireNonNull(message, "message");
        super(message);
        this.library = library;
        this.function = function;
    }

    /** {@return the short name of the DOCA library that should have the function, such as {@code dma}} */
    public String library() {
        return library;
    }

    /** {@return the name of the C function that cannot be called, such as {@code doca_dma_create}} */
    public String function() {
        return function;
    }
}
