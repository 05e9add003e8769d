/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core;

import io.docajava.core.internal.jfr.Jfr;
import io.docajava.core.internal.log.SdkLogBridge;
import io.docajava.ffi.Backend;
import io.docajava.ffi.DocaLibrary;
import io.docajava.ffi.DocaLibraryException;
import io.docajava.ffi.DocaVersion;
import io.docajava.ffi.internal.StackGuard;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The DOCA libraries of this process. They are found and loaded at the first use of any class of doca-java, as {@link
 * DocaLibrary} describes; nothing here has to be called before.
 *
 * <p>The thread {@code doca-sdk-log} passes the records that the libraries log to the SLF4J logger {@code io.docajava.sdk}, in
 * order and shortly after the call that logs them. If several class loaders have loaded doca-java, each gets every record once.
 * An appender may use doca-java, but records that the libraries log on that thread meanwhile are dropped. Slow appenders delay
 * only the log: at most 1024 records wait, and a warning has the number of records that were lost beyond that.
 *
 * <p>Safe for use by many threads.
 */
public final class Doca {

    private static final AtomicBoolean LOADED = new AtomicBoolean();

    private Doca() {}

    /**
     * Finds and loads the DOCA libraries, unless they are loaded already.
     *
     * @throws DocaLibraryException if none can be used; the message lists the places that were tried
     */
    public static void load() {
        DocaLibrary library = DocaLibrary.load();
        if (LOADED.compareAndSet(false, true)) {
            Jfr.loaded(library.backend(), library.version(), library.libraryPath("common"));
        }
        StackGuard.check();
        SdkLogBridge.install();
    }

    /**
     * Ends the thread {@code doca-sdk-log} and removes its shutdown hook, which is all that doca-java runs in the background.
     * Before that, records that the libraries have logged are passed to SLF4J, for which this waits at most a second. Close
     * contexts, engines and memory before the call; it does not close them. The libraries stay loaded, and all methods go on
     * working, but the log is not passed to SLF4J until {@link #load()} is called again. Does nothing if the thread does not run.
     *
     * <p>A container calls this when it ends an application and drops its class loader, which can then be collected at once.
     * Without the call the class loader can be collected, too, and the thread ends some seconds later.
     */
    public static void shutdown() {
        SdkLogBridge.uninstall();
    }

    /**
     * Returns the release of the DOCA libraries ({@code doca_version_runtime}), and loads them first if they are not loaded.
     *
     * @return the release; it may be another one than that of the headers that doca-java was made from
     * @throws DocaLibraryException if they cannot be loaded
     */
    public static DocaVersion version() {
        return DocaLibrary.load().version();
    }

    /**
     * Returns which kind of libraries is in use, and loads them first if none are loaded.
     *
     * @return NVIDIA's SDK or the emulator; it does not change while the process lives
     * @throws DocaLibraryException if neither can be loaded
     */
    public static Backend backend() {
        return DocaLibrary.load().backend();
    }

    /** {@return the most detailed level of the SDK's log that is passed to SLF4J, whose own levels apply after it} */
    public static DocaLogLevel sdkLogLevel() {
        return SdkLogBridge.level();
    }

    /**
     * Sets the most detailed level of the SDK's log that is passed to SLF4J ({@code doca_log_backend_set_sdk_level}). The
     * default is that of the system property {@code doca.log.level}, or {@link DocaLogLevel#WARNING} without the property.
     * The messages of exceptions have the SDK's errors at any level.
     *
     * @param level such as {@link DocaLogLevel#INFO}, for records of this level and of all less detailed ones; {@link
     *     DocaLogLevel#DISABLE} for none
     */
    public static void setSdkLogLevel(DocaLogLevel level) {
        Objects.requireNonNull(level, "level");
        SdkLogBridge.setLevel(level);
    }
}
