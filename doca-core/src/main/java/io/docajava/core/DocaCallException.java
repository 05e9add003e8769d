/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core;

import io.docajava.DocaException;
import java.util.Objects;

/** A DOCA function failed. The message has the attempted operation, the C function, its result, and any reason that the SDK logged. */
public class DocaCallException extends DocaException {

    private static final long serialVersionUID = 1;

    private final int code;
    private final String function;

    /**
     * Creates an exception. Called by doca-java's modules.
     *
     * @param message the whole message
     * @param code the number that the C function returned, a {@code doca_error_t}
     * @param function the name of the failed C function, or of the C type of the failed task
     */
    public DocaCallException(String message, int code, String function) {
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(function, "function");
        super(message);
        this.code = code;
        this.function = function;
    }

    /** {@return the result of the C function; {@link DocaError#UNRECOGNIZED} for a number that doca-java does not know} */
    public DocaError error() {
        return DocaError.of(code);
    }

    /** {@return the number that the C function returned, for which {@link DocaError} may have no constant} */
    public int code() {
        return code;
    }

    /**
     * {@return the name of the failed C function, such as {@code doca_mmap_start}; for a failed task the name of its C type, such
     * as {@code doca_dma_task_memcpy}}
     */
    public String function() {
        return function;
    }

    /** {@return whether the result {@linkplain DocaError#isTransient() is transient}} */
    @Override
    public boolean isRetryable() {
        return error().isTransient();
    }
}
