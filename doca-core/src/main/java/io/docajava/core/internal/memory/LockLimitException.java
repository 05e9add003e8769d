/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.memory;

import io.docajava.core.DocaCallException;

/** Memory cannot be registered, and exceeds the amount that this process may lock. Closing other maps does not help. */
final class LockLimitException extends DocaCallException {

    private static final long serialVersionUID = 1;

    private LockLimitException(DocaCallException failure, long limit) {
        super(
                failure.getMessage() + "; this process may lock only " + limit
                        + " bytes (RLIMIT_MEMLOCK), and registered memory is locked: raise the limit: "
                        + LockLimit.REMEDY,
                failure.code(),
                failure.function());
    }

    /** Returns the failure of a registration, which names the limit if the limit forbids that amount of memory. */
    static DocaCallException explain(DocaCallException failure, long bytes, LockLimit limit) {
        return limit.allows(bytes)
                ? failure
                : new LockLimitException(failure, limit.bytes().orElseThrow());
    }

    @Override
    public boolean isRetryable() {
        return false;
    }
}
