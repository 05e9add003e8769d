/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core;

import io.docajava.DocaException;
import java.util.Objects;

/**
 * A DOCA function failed. The message says what was tried, which C function failed and how, and, where the SDK logged
 * one, its own reason.
 */
public class DocaCallException extends DocaException {

    private static final long serialVersionUID = 1;

    private final DocaError error;
    private final int code;
    private final String function;

    /**
     * Made by doca-java's modules.
     *
     * @param message the whole message
     * @param code the result of the C function
     * @param function the C function's name
     */
    public DocaCallException(String message, int code, String function) {
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(function, "function");
        super(message);
        this.error = DocaError.of(code);
        this.code = code;
        this.function = function;
    }

    /** The result of the C function; {@link DocaError#UNRECOGNIZED} for a number that doca-java does not know. */
    public DocaError error() {
        return error;
    }

    /** The number that the C function returned. */
    public int code() {
        return code;
    }

    /** The C function that failed, such as {@code doca_mmap_start}. */
    public String function() {
        return function;
    }

    /** Returns {@link DocaError#isTransient()} of the result. */
    @Override
    public boolean isRetryable() {
        return error.isTransient();
    }
}
