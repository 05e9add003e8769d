/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.testing;

/** An exception of a user whose methods throw, as far as they can be overridden. */
@SuppressWarnings("ThrowableEqualsHashCode") // as users may do
public final class HostileException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private static IllegalStateException refusal(String method) {
        return new IllegalStateException(method + " of the exception throws");
    }

    @Override
    public String getMessage() {
        throw refusal("getMessage");
    }

    @Override
    public String toString() {
        throw refusal("toString");
    }

    @Override
    public synchronized Throwable getCause() {
        throw refusal("getCause");
    }

    @Override
    public StackTraceElement[] getStackTrace() {
        throw refusal("getStackTrace");
    }

    @Override
    public boolean equals(Object other) {
        throw refusal("equals");
    }

    @Override
    public int hashCode() {
        throw refusal("hashCode");
    }
}
