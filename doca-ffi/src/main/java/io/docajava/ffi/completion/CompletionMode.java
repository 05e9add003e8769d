/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.completion;

import io.docajava.ffi.DocaLibraryException;
import io.docajava.ffi.internal.HelperLibrary;
import org.jspecify.annotations.Nullable;

/**
 * The way in which native callbacks pass completions to Java. The modes differ only in speed. Each progress engine
 * opens its {@link CompletionQueue} with one.
 */
public enum CompletionMode {
    /** The C code of the helper library records them, and Java reads many at once. */
    NATIVE,
    /** Each callback is a call into Java. */
    UPCALL;

    private static final String PROPERTY = "doca.completions";

    /**
     * Returns the mode set by the system property {@code doca.completions}, {@code native} or {@code upcall}. Without
     * the property it is native if the helper library can be loaded, otherwise upcall.
     *
     * @throws DocaLibraryException if the property has another value
     */
    public static CompletionMode preferred() {
        return preferred(System.getProperty(PROPERTY));
    }

    static CompletionMode preferred(@Nullable String setting) {
        if (setting == null) {
            return HelperLibrary.isAvailable() ? NATIVE : UPCALL;
        }
        return switch (setting) {
            case "native" -> NATIVE;
            case "upcall" -> UPCALL;
            default ->
                throw new DocaLibraryException(
                        PROPERTY + "=" + setting + " is no way to take completions: set it to native or upcall.");
        };
    }
}
