/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

/** Common parts of hand-written calls through a {@link java.lang.invoke.MethodHandle}. */
public final class Downcalls {

    private Downcalls() {}

    /**
     * Rethrows the exception of a downcall, which is declared as {@link Throwable} but is never a checked exception.
     *
     * @return never; the type lets callers write {@code throw Downcalls.unexpected(e)}
     */
    public static AssertionError unexpected(Throwable thrown) {
        if (thrown instanceof RuntimeException exception) {
            throw exception;
        }
        if (thrown instanceof Error error) {
            throw error;
        }
        return new AssertionError("A downcall threw a checked exception", thrown);
    }
}
