/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import io.docajava.DocaException;

/**
 * There are not enough huge pages, or the system does not report them. The message states the number of free pages, the number of
 * pages needed, and how to add more. An {@link Mmap} can use ordinary pages instead.
 */
public final class HugePagesException extends DocaException {

    private static final long serialVersionUID = 1;

    HugePagesException(String message) {
        super(message);
    }

    HugePagesException(String message, Throwable cause) {
        super(message, cause);
    }
}
