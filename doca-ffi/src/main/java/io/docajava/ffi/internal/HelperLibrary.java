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

    /** The result of the first attempt to load it that did not fail for lack of file descriptors. */
    private static volatile @Nullable Loading loading;

    private HelperLibrary() {}

    /**
     * Returns whether it can be used here. If not, the reason is logged once.
     *
     * @throws DocaLibraryException if it cannot be loaded now for lack of file descriptors; the next call tries again
     */
    public static boolean isAvailable() {
        return loading().library() != null;
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
        Loading known = loading();
        BundledLibrary library = known.library();
        if (library == null) {
            throw new DocaLibraryException(known.failure());
        }
        return library;
    }

    private static Loading loading() {
        Loading known = loading;
        return known != null ? known : load();
    }

    private static synchronized Loading load() {
        Loading result = loading;
        if (result == null) {
            try {
                result = new Loading(BundledLibrary.open("libdocajava.so"), "");
            } catch (DocaLibraryException e) {
                if (OpenFiles.isLimitReached()) {
                    throw e;
                }
                result = new Loading(null, String.valueOf(e.getMessage()));
                LOG.log(
                        System.Logger.Level.INFO,
                        "Completions use upcalls, which are slower, and the SDK's log is not available. "
                                + result.failure());
            }
            loading = result;
        }
        return result;
    }

    /**
     * The result of an attempt to load the library.
     *
     * @param library null if it cannot be used
     * @param failure the reason then
     */
    private record Loading(@Nullable BundledLibrary library, String failure) {}
}
