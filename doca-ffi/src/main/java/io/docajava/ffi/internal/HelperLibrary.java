/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import io.docajava.ffi.DocaLibraryException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * The helper library of doca-ffi, {@code libdocajava.so}. It saves calls between Java and C, and receives the SDK's log.
 * Everything except the log works without it.
 */
public final class HelperLibrary {

    private static final System.Logger LOG = System.getLogger("io.docajava.ffi");

    /** Loaded at the first use of this class. A failure is kept and does not fail the class initialisation. */
    private static final @Nullable BundledLibrary LIBRARY;

    private static final String FAILURE;

    static {
        BundledLibrary library = null;
        String failure = "";
        try {
            library = BundledLibrary.open("libdocajava.so");
        } catch (DocaLibraryException e) {
            failure = String.valueOf(e.getMessage());
            LOG.log(
                    System.Logger.Level.INFO,
                    "Completions use upcalls, which are slower, and the SDK's log is not available. " + failure);
        }
        LIBRARY = library;
        FAILURE = failure;
    }

    private HelperLibrary() {}

    /** Returns whether it can be used here; if not, the reason is logged once. */
    public static boolean isAvailable() {
        return LIBRARY != null;
    }

    /**
     * Returns the address of a function.
     *
     * @throws DocaLibraryException if the library cannot be used
     */
    public static long address(String function) {
        return library().address(function);
    }

    /**
     * Returns a handle for a function.
     *
     * @throws DocaLibraryException if the library cannot be used
     */
    public static MethodHandle downcall(String function, FunctionDescriptor descriptor) {
        return library().downcall(function, descriptor);
    }

    /**
     * Returns a critical handle for a function of a few instructions: see {@link BundledLibrary#shortDowncall}.
     *
     * @throws DocaLibraryException if the library cannot be used
     */
    public static MethodHandle shortDowncall(String function, FunctionDescriptor descriptor) {
        return library().shortDowncall(function, descriptor);
    }

    /**
     * Requires the library.
     *
     * @throws DocaLibraryException if it cannot be used
     */
    public static void require() {
        library();
    }

    private static BundledLibrary library() {
        BundledLibrary library = LIBRARY;
        if (library == null) {
            throw new DocaLibraryException(FAILURE);
        }
        return library;
    }
}
