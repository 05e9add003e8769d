/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.log;

/**
 * Handles exceptions that user code may have thrown. Their classes may override methods such as {@code equals} and {@code
 * getMessage} with ones that throw, which must not keep an operation from ending.
 */
public final class Throwables {

    private Throwables() {}

    /** Adds a suppressed exception to a failure, unless it is the failure itself, which cannot suppress itself. */
    @SuppressWarnings("ReferenceEquality") // calls no method that user code may have overridden
    public static void suppress(Throwable failure, Throwable suppressed) {
        if (suppressed != failure) {
            failure.addSuppressed(suppressed);
        }
    }

    /** Returns the text of {@link Throwable#toString()}, or only the name of the class if that method throws. */
    public static String describe(Throwable failure) {
        try {
            return failure.toString();
        } catch (Throwable thrown) {
            return failure.getClass().getName();
        }
    }
}
