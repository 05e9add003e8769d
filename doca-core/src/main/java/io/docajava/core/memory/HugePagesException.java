/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import io.docajava.DocaException;

/**
 * There are not enough huge pages. The message says how many there are, how many are needed, and how to make more; an
 * {@link Mmap} with ordinary pages is always possible.
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
