/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.emulator;

import io.docajava.ffi.DocaLibraryException;
import io.docajava.ffi.NativeEmulator;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The environment variables of the emulator. The emulator reads them once per process. A Java program sets them for its child
 * processes by {@link ProcessBuilder#environment()}. {@link #configure} replaces three of them in its own process.
 */
public final class EmulatorEnvironment {

    /** The side of the PCI bus on which the process runs: {@code dpu}, the default, or {@code host}. */
    public static final String ROLE = "DOCA_EMULATOR_ROLE";

    /** The file that describes the devices. Without it, the emulator has two ports with functions on both sides. */
    public static final String TOPOLOGY = "DOCA_EMULATOR_TOPOLOGY";

    /**
     * The threads that run copies. With {@code inline}, the default, copies run in {@code doca_pe_progress()}; with {@code
     * threaded} they run on worker threads. Copies complete in the order of their submission, except with {@link #RELEASE} 2.5.
     */
    public static final String ENGINE = "DOCA_EMULATOR_ENGINE";

    /**
     * Makes the emulator stricter than the SDK. With {@code 1}, the default, the emulator reports mistakes that the SDK does not
     * detect, and that may make it corrupt memory or hang. With {@code 0} it behaves as the SDK.
     */
    public static final String STRICT = "DOCA_EMULATOR_STRICT";

    /**
     * The DOCA release that the emulator emulates: {@code 3.4}, {@code 3.3}, {@code 3.0}, the default, {@code 2.5}, {@code 2.2},
     * {@code 1.5} or {@code 1.4}. Java calls releases 2.2, 1.5 and 1.4, and RDMA of 2.5, through a translation.
     */
    public static final String RELEASE = "DOCA_EMULATOR_RELEASE";

    /**
     * Limits the registered memory. With {@code 1}, registrations fail beyond the amount of memory that the process may lock
     * ({@code RLIMIT_MEMLOCK}), even if the process is privileged. With {@code 0}, the default, there is no limit.
     */
    public static final String MEMLOCK = "DOCA_EMULATOR_MEMLOCK";

    /** A number that chooses the order in which copies complete with {@link #RELEASE} 2.5; 0 by default. */
    public static final String SEED = "DOCA_EMULATOR_SEED";

    /** The faults to inject, in the format of {@link EmulatorFaults.Builder#toEnvironment}. Without it there are none. */
    public static final String FAULTS = "DOCA_EMULATOR_FAULTS";

    /**
     * The folder in which processes find each other by the addresses of their emulated devices. The emulator creates it if it is
     * missing. Only its owner may have access. The default is {@code $XDG_RUNTIME_DIR/doca-emulator} or, if the process cannot
     * write there, {@code /tmp/doca-emulator-<user id>}. A test with a separate folder is isolated from other tests.
     */
    public static final String RUNTIME_DIR = "DOCA_EMULATOR_RUNTIME_DIR";

    private EmulatorEnvironment() {}

    /**
     * Replaces {@link #ROLE}, {@link #TOPOLOGY} and {@link #ENGINE} in this process until the next call. The other variables keep
     * the values that the process was started with. While this runs, no other thread may use DOCA.
     *
     * @param role {@code dpu} or {@code host}; null for the value in the environment
     * @param topology the file that describes the devices; null for the one in the environment
     * @param engine {@code inline} or {@code threaded}; null for the value in the environment
     * @throws IllegalArgumentException if the emulator refuses a value or the file, logs the reason, and changes nothing
     * @throws IllegalStateException if a device of this process is open, or the DOCA libraries of this process are
     *     those of the SDK
     * @throws DocaLibraryException if there are no DOCA libraries
     */
    public static void configure(@Nullable String role, @Nullable Path topology, @Nullable String engine) {
        NativeEmulator.configure(role, topology == null ? null : topology.toString(), engine);
    }
}
