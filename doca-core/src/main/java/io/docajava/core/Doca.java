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
 * <p>The thread {@code doca-sdk-log} hands what the libraries log to the SLF4J logger {@code io.docajava.sdk}, in order and
 * shortly after the call that logs it. Where several class loaders have doca-java, each gets every record once. An appender may use doca-java; what the libraries log meanwhile on that thread is not
 * handed over. Slow appenders delay nothing but the log: at most 1024 records wait, and a warning says how many were lost
 * beyond that. Safe for use by many threads.
 */
public final class Doca {

    private static final AtomicBoolean LOADED = new AtomicBoolean();

    private Doca() {}

    /**
     * Finds and loads the DOCA libraries, unless that was done before.
     *
     * @throws DocaLibraryException if there are none that can be used; the message says what was tried
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
     * Ends what doca-java runs in the background: the thread {@code doca-sdk-log} and its shutdown hook. Records that the
     * libraries have logged before are handed to SLF4J first, for which this waits at most a second. Close contexts, engines and
     * memory before; what is open stays open. The libraries stay loaded, and all methods go on working, but the log is not
     * handed to SLF4J until {@link #load()} is called again. Does nothing if nothing runs.
     *
     * <p>A container that drops the class loader of an application calls this when the application ends, so that the class
     * loader can be collected at once. Without the call it can be collected as well, and the thread ends some seconds later.
     */
    public static void shutdown() {
        SdkLogBridge.uninstall();
    }

    /**
     * The release of the loaded libraries ({@code doca_version_runtime}).
     *
     * @throws DocaLibraryException if there are none
     */
    public static DocaVersion version() {
        return DocaLibrary.load().version();
    }

    /**
     * Returns whether NVIDIA's SDK or the emulator is loaded.
     *
     * @throws DocaLibraryException if neither can be
     */
    public static Backend backend() {
        return DocaLibrary.load().backend();
    }

    /** Returns the most detailed level of the SDK's log that reaches SLF4J. */
    public static DocaLogLevel sdkLogLevel() {
        return SdkLogBridge.level();
    }

    /**
     * Sets how much of the SDK's log is handed to SLF4J at most ({@code doca_log_backend_set_sdk_level}). Without it, the
     * system property {@code doca.log.level} decides, and without that it is {@link DocaLogLevel#WARNING}. The
     * SDK's errors are part of the exceptions in any case.
     */
    public static void setSdkLogLevel(DocaLogLevel level) {
        Objects.requireNonNull(level, "level");
        SdkLogBridge.setLevel(level);
    }
}
