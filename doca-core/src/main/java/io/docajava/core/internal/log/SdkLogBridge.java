/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.log;

import io.docajava.core.DocaLogLevel;
import io.docajava.ffi.log.SdkLog;
import io.docajava.ffi.log.SdkLogRecord;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Passes the records of the SDK's log to the SLF4J logger {@code io.docajava.sdk}, on a thread of {@link SdkLog}. The key {@code
 * thread} of each event is the thread that has logged.
 */
public final class SdkLogBridge {

    private static final Logger LOG = LoggerFactory.getLogger("io.docajava.sdk");

    /** The most detailed level that is passed to SLF4J, which applies its own levels. */
    private static volatile DocaLogLevel level = initialLevel(System.getProperty("doca.log.level"));

    private static volatile boolean installed;
    private static boolean refused;

    private SdkLogBridge() {}

    /** Installs the bridge, unless it is installed. If the SDK refuses, it works without its log. */
    public static void install() {
        if (!installed) {
            Throwable refusal = installNow();
            if (refusal != null) {
                // An appender, which may wait for another thread, must not run while this class is locked.
                SafeLog.write(
                        refusal,
                        () -> LOG.warn(
                                "The SDK's log cannot be taken; its reasons will be missing from errors", refusal));
            }
        }
    }

    /** Returns why the SDK's log cannot be taken, if that was found only now; otherwise null. */
    private static synchronized @Nullable Throwable installNow() {
        if (installed || refused) {
            return null;
        }
        try {
            SdkLog.install(level.value(), new Logging());
            installed = true;
            return null;
        } catch (RuntimeException | LinkageError e) {
            refused = true;
            return e;
        }
    }

    /** Uninstalls the bridge after the last records. It can be installed again. */
    public static synchronized void uninstall() {
        SdkLog.uninstall();
        installed = false;
        refused = false;
    }

    /** Returns the most detailed level that is passed to SLF4J. */
    public static DocaLogLevel level() {
        return level;
    }

    /** Sets the most detailed level that is passed to SLF4J. */
    public static synchronized void setLevel(DocaLogLevel newLevel) {
        if (installed) {
            SdkLog.setLevel(newLevel.value());
        }
        level = newLevel;
    }

    private static final class Logging implements SdkLog.Sink {

        @Override
        public void record(SdkLogRecord logged) {
            SdkRecord record = SdkRecord.parse(logged.line(), level);
            LOG.atLevel(logged.expected() ? Level.DEBUG : record.slf4jLevel())
                    .addKeyValue("thread", logged.threadName() + " (" + logged.threadId() + ")")
                    .log(record.text());
        }

        @Override
        public void lost(long records) {
            LOG.warn("{} records of the SDK's log were lost: the appenders were slower than the SDK", records);
        }
    }

    /** Returns the level of the system property, or the default if it is not set or invalid. */
    static DocaLogLevel initialLevel(@Nullable String name) {
        if (name == null) {
            return DocaLogLevel.WARNING;
        }
        try {
            return DocaLogLevel.valueOf(name.strip().toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            SafeLog.write(() -> LOG.warn(
                    "doca.log.level is one of {}, and not \"{}\": WARNING is used",
                    Arrays.toString(DocaLogLevel.values()),
                    name));
            return DocaLogLevel.WARNING;
        }
    }
}
