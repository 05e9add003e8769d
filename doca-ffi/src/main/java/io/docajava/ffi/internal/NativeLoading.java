/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import io.docajava.ffi.DocaLibraryException;
import org.jspecify.annotations.Nullable;

/** Loads the DOCA libraries of this process. */
public final class NativeLoading {

    private static volatile @Nullable LoadedSdk sdk;

    private NativeLoading() {}

    /**
     * Returns the libraries in use, which are loaded at the first call that finds them.
     *
     * @throws DocaLibraryException if there are none. The next call searches again: the reason may have been a lack of descriptors
     *     or memory that has passed
     */
    public static LoadedSdk sdk() {
        LoadedSdk loaded = sdk;
        return loaded != null ? loaded : decide();
    }

    private static synchronized LoadedSdk decide() {
        StackGuard.check();
        LoadedSdk loaded = sdk;
        if (loaded == null) {
            try {
                loaded = SdkSearch.run();
                StackGuard.initialize();
            } catch (DocaLibraryException e) {
                throw explained(e);
            } catch (RuntimeException | LinkageError e) {
                throw explained(new DocaLibraryException("Loading the DOCA libraries failed: " + e, e));
            }
            sdk = loaded;
        }
        return loaded;
    }

    /** Returns a failure that names the limit of open files, if that is reached: the loader and the JDK report missing files. */
    private static DocaLibraryException explained(DocaLibraryException failure) {
        return OpenFiles.isLimitReached()
                ? new DocaLibraryException(
                        "The DOCA libraries cannot be loaded now: " + OpenFiles.REMEDY
                                + ". The next call tries again; the cause shows what this one could not open.",
                        failure)
                : failure;
    }
}
