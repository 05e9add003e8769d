/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.completion;

import io.docajava.ffi.DocaLibraryException;
import io.docajava.ffi.internal.HelperLibrary;
import org.jspecify.annotations.Nullable;

/** Ways in which completions get from native callbacks to Java. They differ in speed alone. */
public enum CompletionMode {
    /** A few lines of bundled C record them, and Java reads many at once. */
    NATIVE,
    /** Each callback is a call into Java. */
    UPCALL;

    private static final String PROPERTY = "doca.completions";

    /**
     * The mode to use: what the system property {@code doca.completions} says, {@code native} or {@code upcall}; else
     * native where the bundled library can be loaded.
     *
     * @throws DocaLibraryException if the property says anything else
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
