/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi;

import io.docajava.ffi.internal.LoadedSdk;
import io.docajava.ffi.internal.NativeLoading;
import io.docajava.ffi.internal.StackGuard;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The DOCA libraries of this process. The first {@link #load()} chooses them once, in this order:
 *
 * <ol>
 *   <li>the folder named by the system property {@code doca.library.path} or, without it, by the environment variable
 *       {@code DOCA_LIBRARY_PATH}, which contains the libraries or is the root of an SDK; no other place is tried then;
 *   <li>the SDK installed under {@code /opt/mellanox/doca};
 *   <li>the search path of the dynamic loader;
 *   <li>the emulator, if doca-emulator is on the class path or module path; the {@link System.Logger} {@code io.docajava.ffi} then
 *       logs a warning.
 * </ol>
 *
 * <p>An SDK of DOCA 1.3 to 2.2, which has work queues, is used through the translation of doca-compat, which must be on the class
 * path or module path. The same holds for RDMA of DOCA 2.5 to 2.8, whose contexts have one connection each.
 *
 * <p>If an SDK is installed and cannot be loaded, loading fails; the emulator is not used instead. The system property {@code
 * doca.backend} or, without it, the environment variable {@code DOCA_BACKEND}, set to {@code sdk} or {@code emulator}, restricts
 * the choice. Libraries are never unloaded.
 *
 * <p>Any thread may call all methods.
 */
public final class DocaLibrary {

    private final LoadedSdk sdk;

    private DocaLibrary(LoadedSdk sdk) {
        this.sdk = sdk;
    }

    /**
     * Loads the libraries at the first call, and returns the same ones at each further call.
     *
     * @return the libraries of this process
     * @throws DocaLibraryException if there are no usable ones; each further call searches again
     */
    public static DocaLibrary load() {
        return new DocaLibrary(NativeLoading.sdk());
    }

    /** {@return whether these are the libraries of NVIDIA's SDK or of the emulator} */
    public Backend backend() {
        return sdk.backend();
    }

    /**
     * Returns the version of the libraries ({@code doca_version_runtime}).
     *
     * @return the version that they report; if they report none, the oldest version that has all of their functions
     */
    public DocaVersion version() {
        return sdk.version();
    }

    /**
     * Returns the file that a library was loaded from.
     *
     * @param library the short name of the library: {@code common}, {@code dma}, {@code rdma} or {@code comch}
     * @return the path or soname that was passed to the dynamic loader
     * @throws DocaLibraryException if that library could not be loaded
     * @throws IllegalArgumentException if {@code library} is none of these names
     */
    public String libraryPath(String library) {
        Objects.requireNonNull(library, "library");
        StackGuard.check();
        return sdk.libraryPath(library);
    }

    /**
     * Returns the file of the translation through which the libraries are used. {@link #missing} and {@link #has} take the
     * translation into account.
     *
     * @return the path of a library of doca-compat; empty if the release of the libraries needs no translation
     */
    public Optional<String> translationPath() {
        return sdk.translationPath();
    }

    /**
     * Returns the functions that doca-java can call and a library lacks.
     *
     * @param library the short name of the library: {@code common}, {@code dma}, {@code rdma} or {@code comch}
     * @return the names of the C functions, each with the oldest release that has the function
     * @throws DocaLibraryException if that library could not be loaded
     * @throws IllegalArgumentException if {@code library} is none of these names
     */
    public SortedMap<String, DocaVersion> missing(String library) {
        Objects.requireNonNull(library, "library");
        StackGuard.check();
        return sdk.missing(library);
    }

    /**
     * Returns whether the loaded libraries have a function.
     *
     * @param function the name of the C function, such as {@code doca_dma_set_ordered_completions}
     * @return false also if the function's library could not be loaded
     * @throws IllegalArgumentException if doca-java never calls a function of that name
     */
    public boolean has(String function) {
        Objects.requireNonNull(function, "function");
        StackGuard.check();
        return sdk.has(function);
    }

    /**
     * Throws an exception unless the loaded libraries have a function.
     *
     * @param function the name of the C function, such as {@code doca_dma_set_ordered_completions}
     * @throws DocaFunctionException if the function cannot be called; the message has the reason and the DOCA release that has it
     * @throws IllegalArgumentException if doca-java never calls a function of that name
     */
    public void require(String function) {
        Objects.requireNonNull(function, "function");
        StackGuard.check();
        sdk.require(function);
    }
}
