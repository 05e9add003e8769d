/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.log;

import io.docajava.core.DocaLogLevel;
import io.docajava.ffi.log.SdkLog;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Takes the SDK's log of this process: hands its records to the SLF4J logger {@code io.docajava.sdk}, and keeps the
 * errors of each thread for the exceptions.
 */
public final class SdkLogBridge {

    private static final Logger LOG = LoggerFactory.getLogger("io.docajava.sdk");

    private static final ThreadLocal<Boolean> HANDING_OVER = ThreadLocal.withInitial(() -> false);

    /** SLF4J decides beyond this what is seen. */
    private static volatile DocaLogLevel level = initialLevel(System.getProperty("doca.log.level"));

    private static volatile boolean installed;
    private static boolean refused;

    private SdkLogBridge() {}

    /** Takes the log, unless that was done before. An SDK that refuses works on, without its log. */
    public static void install() {
        if (!installed) {
            installNow();
        }
    }

    private static synchronized void installNow() {
        if (installed || refused) {
            return;
        }
        try {
            SdkLog.install(effective(level), SdkLogBridge::record);
            installed = true;
        } catch (RuntimeException e) {
            refused = true;
            LOG.warn("The SDK's log cannot be taken; its reasons will be missing from errors", e);
        }
    }

    /** What is handed to SLF4J at most. */
    public static DocaLogLevel level() {
        return level;
    }

    /** Sets what is handed to SLF4J at most. */
    public static synchronized void setLevel(DocaLogLevel newLevel) {
        if (installed) {
            SdkLog.setLevel(effective(newLevel));
        }
        level = newLevel;
    }

    /** The SDK's errors are asked for in any case: they are the reasons in exceptions. */
    private static int effective(DocaLogLevel wanted) {
        return Math.max(wanted.value(), DocaLogLevel.ERROR.value());
    }

    /** What the SDK calls with each record, inside of the call that logs. */
    static void record(String line) {
        DocaLogLevel limit = level;
        SdkRecord record = SdkRecord.parse(line, limit);
        if (record.isError()) {
            ErrorRecords.add(record.text());
        }
        if (limit != DocaLogLevel.DISABLE && record.level().compareTo(limit) <= 0) {
            handOver(record);
        }
    }

    private static void handOver(SdkRecord record) {
        if (HANDING_OVER.get()) {
            // An appender that itself calls DOCA must not be called again for what the SDK logs then.
            return;
        }
        HANDING_OVER.set(true);
        try {
            Level slf4jLevel = ErrorRecords.areExpected() ? Level.DEBUG : record.slf4jLevel();
            LOG.atLevel(slf4jLevel).log(record.text());
        } finally {
            HANDING_OVER.set(false);
        }
    }

    /** The level that a user asked for in words, and the default where none of them fits. */
    static DocaLogLevel initialLevel(@Nullable String name) {
        if (name == null) {
            return DocaLogLevel.WARNING;
        }
        try {
            return DocaLogLevel.valueOf(name.strip().toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            LOG.warn(
                    "doca.log.level is one of {}, and not \"{}\": WARNING is used",
                    Arrays.toString(DocaLogLevel.values()),
                    name);
            return DocaLogLevel.WARNING;
        }
    }
}
