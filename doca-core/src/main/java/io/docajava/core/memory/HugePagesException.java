/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import io.docajava.DocaException;
import java.util.Objects;

/**
 * There are not enough huge pages, or the system does not report them. The message states the number of free pages, the number of
 * pages needed, and how to add more. An {@link Mmap} can use ordinary pages instead.
 */
public final class HugePagesException extends DocaException {

    private static final long serialVersionUID = 1;

    /**
     * Creates the exception.
     *
     * @param message that states the numbers of pages
     */
    public HugePagesException(String message) {
        super(Objects.requireNonNull(message, "message"));
    }

    /**
     * Creates the exception with its cause.
     *
     * @param message that states the numbers of pages
     * @param cause the failure of the system call
     */
    public HugePagesException(String message, Throwable cause) {
        super(Objects.requireNonNull(message, "message"), Objects.requireNonNull(cause, "cause"));
    }
}
