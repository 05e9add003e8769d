/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core;

import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.jfr.Jfr;
import io.docajava.core.internal.log.SdkLogBridge;
import io.docajava.ffi.Backend;
import io.docajava.ffi.DocaLibrary;
import io.docajava.ffi.DocaLibraryException;
import io.docajava.ffi.DocaVersion;
import io.docajava.ffi.internal.StackGuard;
import io.docajava.ffi.log.SdkLog;
import java.util.Objects;

/**
 * The DOCA libraries of this process. The first call that needs them, such as {@link
 * io.docajava.core.device.Device#list()}, finds and loads them, as {@link DocaLibrary} describes; no method of this class has to be
 * called before.
 *
 * <p>The thread {@code doca-sdk-log} passes the log records of the libraries to the SLF4J logger {@code io.docajava.sdk}, in
 * order and shortly after they are logged. If several class loaders have loaded doca-java, each receives every record once. An
 * appender may call doca-java, but records that the libraries log during such a call are dropped. Slow appenders delay only the
 * log: at most 1024 records wait, further ones are dropped, and a warning states their number.
 *
 * <p>Safe for use by many threads.
 */
public final class Doca {

    private static boolean loaded;

    private Doca() {}

    /**
     * Finds and loads the DOCA libraries, unless they are loaded already.
     *
     * @throws DocaLibraryException if none can be used; the message lists the places that were tried
     */
    public static void load() {
        // Twice: the first check is less exact if the libraries are not loaded.
        StackGuard.check();
        DocaLibrary library = DocaLibrary.load();
        StackGuard.check();
        if (isFirstLoad()) {
            Jfr.loaded(library);
        }
        SdkLogBridge.install();
    }

    private static synchronized boolean isFirstLoad() {
        boolean isFirst = !loaded;
        loaded = true;
        return isFirst;
    }

    /**
     * Ends the thread {@code doca-sdk-log} and removes its shutdown hook. Waits at most a second for the records logged so far
     * to reach SLF4J. This does not close contexts, engines or memory; close them before. The libraries stay loaded and all methods
     * work, but the log does not reach SLF4J until {@link #load()} is called again. Does nothing if the thread is not running.
     *
     * <p>A container calls this when it ends an application and drops its class loader, which can then be collected at once.
     * Without the call, the class loader is collected some seconds later, after the thread has ended.
     */
    public static void shutdown() {
        StackGuard.checkToClose();
        SdkLogBridge.uninstall();
    }

    /**
     * Returns the release of the DOCA libraries ({@code doca_version_runtime}). Loads the libraries first, if necessary.
     *
     * @return the release, which may differ from the release whose headers doca-java was built from
     * @throws DocaLibraryException if they cannot be loaded
     */
    public static DocaVersion version() {
        return DocaLibrary.load().version();
    }

    /**
     * {@return NVIDIA's SDK or the emulator, which this process uses until its end} Loads the libraries first, if necessary.
     *
     * @throws DocaLibraryException if neither can be loaded
     */
    public static Backend backend() {
        return DocaLibrary.load().backend();
    }

    /** {@return the most detailed level of the SDK's log that is passed to SLF4J} SLF4J then applies its own levels. */
    public static DocaLogLevel sdkLogLevel() {
        StackGuard.check();
        return SdkLogBridge.level();
    }

    /**
     * Sets the most detailed level of the SDK's log that is passed to SLF4J ({@code doca_log_backend_set_sdk_level}). The default
     * is the value of the system property {@code doca.log.level}, or {@link DocaLogLevel#WARNING} if it is not set. The level
     * does not affect the SDK's errors in the messages of exceptions.
     *
     * @param level such as {@link DocaLogLevel#INFO}, which includes less detailed levels; {@link DocaLogLevel#DISABLE} for no records
     * @throws DocaCallException if the SDK refuses; the level is then unchanged
     */
    public static void setSdkLogLevel(DocaLogLevel level) {
        Objects.requireNonNull(level, "level");
        StackGuard.check();
        try {
            SdkLogBridge.setLevel(level);
        } catch (SdkLog.RefusedException refusal) {
            throw Calls.failure(refusal.error(), refusal.function(), "setting the level of the SDK's log");
        }
    }
}
