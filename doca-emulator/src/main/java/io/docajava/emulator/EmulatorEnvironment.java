/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.emulator;

/**
 * The environment variables that the emulator reads, once in the life of a process. A Java program cannot set them for
 * itself; it can for the processes that it starts, with {@link ProcessBuilder#environment()}.
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
}
