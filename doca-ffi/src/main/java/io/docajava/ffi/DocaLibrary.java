/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi;

import io.docajava.ffi.internal.LoadedSdk;
import io.docajava.ffi.internal.NativeLoading;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The DOCA libraries of this process. What is used is decided once, at the first {@link #load()}, in this order:
 *
 * <ol>
 *   <li>the folder named by the system property {@code doca.library.path} or, without it, by the environment variable
 *       {@code DOCA_LIBRARY_PATH}: the libraries themselves or an SDK's root; nothing else is tried then;
 *   <li>the SDK installed under {@code /opt/mellanox/doca};
 *   <li>the search path of the dynamic loader;
 *   <li>the emulator, when doca-emulator is on the class path or module path. That is said in the log, as a warning, by
 *       the {@link System.Logger} {@code io.docajava.ffi}.
 * </ol>
 *
 * <p>An SDK of DOCA 1.5 to 2.2, which has work queues, is used through a translation: doca-compat, which has it, must be
 * on the class path or module path. So is the RDMA of DOCA 2.5 to 2.8, whose contexts have one connection each.
 *
 * <p>An SDK that is installed and cannot be loaded is an error and not a reason to emulate. The system property
 * {@code doca.backend}, or else the environment variable {@code DOCA_BACKEND}, set to {@code sdk} or {@code emulator}
 * restricts the choice. Libraries are never unloaded.
 *
 * <p>All methods may be called by any thread.
 */
public final class DocaLibrary {

    private final LoadedSdk sdk;

    private DocaLibrary(LoadedSdk sdk) {
        this.sdk = sdk;
    }

    /**
     * Gives the loaded libraries, loading them at the first call.
     *
     * @throws DocaLibraryException if there is no usable one; every call says so with the same message
     */
    public static DocaLibrary load() {
        return new DocaLibrary(NativeLoading.sdk());
    }

    /** Returns whether this is NVIDIA's SDK or the emulator. */
    public Backend backend() {
        return sdk.backend();
    }

    /**
     * The version that the libraries report ({@code doca_version_runtime}), or the oldest one that has all the functions
     * found, where they report none.
     */
    public DocaVersion version() {
        return sdk.version();
    }

    /**
     * The file that a library was loaded from.
     *
     * @param library its short name: {@code common}, {@code dma}, {@code rdma} or {@code comch}
     * @throws DocaLibraryException if that library could not be loaded
     * @throws IllegalArgumentException if doca-java knows no such library
     */
    public String libraryPath(String library) {
        Objects.requireNonNull(library, "library");
        return sdk.libraryPath(library);
    }

    /**
     * The file of the translation that stands before the libraries, as their release is too old to be called by Java itself;
     * empty if there is none. {@link #missing} and {@link #has} say which functions can be called with it.
     */
    public Optional<String> translationPath() {
        return sdk.translationPath();
    }

    /**
     * The functions that doca-java knows and a library lacks, by their C names, each with the release that brought it.
     *
     * @param library its short name: {@code common}, {@code dma}, {@code rdma} or {@code comch}
     * @throws DocaLibraryException if that library could not be loaded
     * @throws IllegalArgumentException if doca-java knows no such library
     */
    public SortedMap<String, DocaVersion> missing(String library) {
        Objects.requireNonNull(library, "library");
        return sdk.missing(library);
    }

    /**
     * Returns whether a function can be called.
     *
     * @param function its C name, such as {@code doca_dma_set_ordered_completions}
     * @throws IllegalArgumentException if doca-java knows no such function
     */
    public boolean has(String function) {
        Objects.requireNonNull(function, "function");
        return sdk.has(function);
    }

    /**
     * Does nothing if a function can be called.
     *
     * @param function its C name, such as {@code doca_dma_set_ordered_completions}
     * @throws DocaFunctionException if it cannot: the message says why and which DOCA release has it
     * @throws IllegalArgumentException if doca-java knows no such function
     */
    public void require(String function) {
        Objects.requireNonNull(function, "function");
        sdk.require(function);
    }
}
