/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi;

import io.docajava.DocaException;
import java.io.Serial;
import java.util.Objects;

/** A function that the loaded DOCA libraries do not offer; everything else of them can be used. */
public final class DocaFunctionException extends DocaException {

    @Serial
    private static final long serialVersionUID = 1;

    private final String library;
    private final String function;

    /** Creates the exception for one function of one library, with the reason in full. */
    public DocaFunctionException(String library, String function, String message) {
        Objects.requireNonNull(library, "library");
        Objects.requireNonNull(function, "function");
        Objects.requireNonNull(message, "message");
        super(message);
        this.library = library;
        this.function = function;
    }

    /** The DOCA library it belongs to, such as {@code dma}. */
    public String library() {
        return library;
    }

    /** The C function, such as {@code doca_dma_create}. */
    public String function() {
        return function;
    }
}
