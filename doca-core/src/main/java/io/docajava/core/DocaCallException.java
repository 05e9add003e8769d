/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core;

import io.docajava.DocaException;
import java.util.Objects;

/**
 * A DOCA function failed. The message contains the attempted operation, the C function, its result, and the reason that the SDK
 * logged, if any.
 */
public class DocaCallException extends DocaException {

    private static final long serialVersionUID = 1;

    /** The error that {@link #code} stands for. */
    private final DocaError error;

    /** The number that the C function returned. */
    private final int code;

    /** The name of the C function, or of the C type of the task. */
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
        this.error = DocaError.of(code);
        this.code = code;
        this.function = function;
    }

    /** {@return the result of the C function; {@link DocaError#UNRECOGNIZED} for a number that doca-java does not know} */
    public DocaError error() {
        return error;
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
        return error.isTransient();
    }
}
