/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import io.docajava.ffi.DocaLibraryException;
import org.jspecify.annotations.Nullable;

/** Loads the DOCA libraries of this process once. */
public final class NativeLoading {

    private static volatile @Nullable LoadedSdk sdk;
    private static @Nullable String failure;

    private NativeLoading() {}

    /**
     * Returns the libraries in use, which are loaded at the first call.
     *
     * @throws DocaLibraryException if there are none; each call throws a new exception with the same message
     */
    public static LoadedSdk sdk() {
        LoadedSdk loaded = sdk;
        return loaded != null ? loaded : decide();
    }

    private static synchronized LoadedSdk decide() {
        StackGuard.check();
        if (failure != null) {
            throw new DocaLibraryException(failure);
        }
        LoadedSdk loaded = sdk;
        if (loaded == null) {
            try {
                loaded = SdkSearch.run();
                StackGuard.initialize();
            } catch (DocaLibraryException e) {
                failure = e.getMessage();
                throw e;
            } catch (RuntimeException | LinkageError e) {
                String message = "Loading the DOCA libraries failed: " + e;
                failure = message;
                throw new DocaLibraryException(message, e);
            }
            sdk = loaded;
        }
        return loaded;
    }
}
