/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.emulator;

import io.docajava.ffi.DocaLibraryException;
import io.docajava.ffi.NativeEmulator;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The environment variables that the emulator reads, once in the life of a process. A Java program sets them for the
 * processes that it starts, with {@link ProcessBuilder#environment()}. For itself it can replace three of them, with
 * {@link #configure}.
 */
public final class EmulatorEnvironment {

    /** Which side of the PCI bus this process is on: {@code dpu}, the default, or {@code host}. */
    public static final String ROLE = "DOCA_EMULATOR_ROLE";

    /** The file that says which devices there are. Without it, two ports with functions on both sides. */
    public static final String TOPOLOGY = "DOCA_EMULATOR_TOPOLOGY";

    /**
     * Where copies run: {@code inline}, the default, in {@code doca_pe_progress()}; {@code threaded}, on worker threads.
     * They complete in the order of submission, except with {@link #RELEASE} 2.5.
     */
    public static final String ENGINE = "DOCA_EMULATOR_ENGINE";

    /**
     * With {@code 1}, the default, the emulator reports what the SDK lets pass and would corrupt or hang on. With
     * {@code 0} it behaves as the SDK.
     */
    public static final String STRICT = "DOCA_EMULATOR_STRICT";

    /**
     * The DOCA release whose functions and behaviour the emulator has: {@code 3.0}, the default, {@code 2.5}, {@code 2.2}
     * or {@code 1.5}. Java calls those of releases before 3.0 through a translation.
     */
    public static final String RELEASE = "DOCA_EMULATOR_RELEASE";

    /** A number that chooses the order in which copies complete with {@link #RELEASE} 2.5; 0 by default. */
    public static final String SEED = "DOCA_EMULATOR_SEED";

    /** What shall go wrong, as {@link EmulatorFaults.Builder#toEnvironment} writes it. Without it, nothing. */
    public static final String FAULTS = "DOCA_EMULATOR_FAULTS";

    /**
     * The folder where processes find each other by the addresses of their emulated devices; it is made when it is
     * missing, and must be the user's alone. By default {@code $XDG_RUNTIME_DIR/doca-emulator} or, when there is no
     * such folder, {@code /tmp/doca-emulator-} and the number of the user. A folder of its own keeps a test apart from
     * others.
     */
    public static final String RUNTIME_DIR = "DOCA_EMULATOR_RUNTIME_DIR";

    private EmulatorEnvironment() {}

    /**
     * Replaces {@link #ROLE}, {@link #TOPOLOGY} and {@link #ENGINE} for this process, for good. All other variables keep
     * the values that the process was started with. While this runs, no other thread may use DOCA.
     *
     * @param role {@code dpu} or {@code host}; null for the value in the environment
     * @param topology the file; null for the one in the environment
     * @param engine {@code inline} or {@code threaded}; null for the value in the environment
     * @throws IllegalArgumentException if the emulator refuses a value or the file, and changes nothing; it logs the reason
     * @throws IllegalStateException if a device of this process is open, or the DOCA libraries of this process are
     *     those of the SDK
     * @throws DocaLibraryException if there are no DOCA libraries
     */
    public static void configure(@Nullable String role, @Nullable Path topology, @Nullable String engine) {
        NativeEmulator.configure(role, topology == null ? null : topology.toString(), engine);
    }
}
