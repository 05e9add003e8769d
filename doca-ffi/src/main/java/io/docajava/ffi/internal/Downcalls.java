/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

/** Common parts of hand-written calls through a {@link java.lang.invoke.MethodHandle}. */
public final class Downcalls {

    private Downcalls() {}

    /**
     * Passes on what a downcall threw, which is declared as {@link Throwable} and is never a checked exception.
     *
     * @return never; so that callers can write {@code throw Downcalls.unexpected(e)}
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
