/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.log;

import io.docajava.core.DocaLogLevel;
import io.docajava.ffi.log.SdkLog;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Takes the SDK's log of this process: hands its records to the SLF4J logger {@code io.docajava.sdk}, and keeps the
 * errors of each thread for the exceptions.
 */
public final class SdkLogBridge {

    private static final Logger LOG = LoggerFactory.getLogger("io.docajava.sdk");

    /** SLF4J decides beyond this what is seen. */
    private static volatile DocaLogLevel level = initialLevel();

    private static boolean installed;
    private static boolean refused;

    private SdkLogBridge() {}

    /** Takes the log, unless that was done before. An SDK that refuses works on, without its log. */
    public static synchronized void install() {
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
        level = newLevel;
        if (installed) {
            SdkLog.setLevel(effective(newLevel));
        }
    }

    /** The SDK's errors are asked for in any case: they are the reasons in exceptions. */
    private static int effective(DocaLogLevel wanted) {
        return Math.max(wanted.value(), DocaLogLevel.ERROR.value());
    }

    private static void record(String line) {
        SdkRecord record = SdkRecord.parse(line);
        if (record.level() == Level.ERROR) {
            ErrorRecords.add(record.text());
        }
        if (level != DocaLogLevel.DISABLE) {
            LOG.atLevel(record.level()).log(record.text());
        }
    }

    private static DocaLogLevel initialLevel() {
        String value = System.getProperty("doca.log.level", "WARNING");
        try {
            return DocaLogLevel.valueOf(value.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            LOG.warn("doca.log.level is one of the names in DocaLogLevel, and not '{}': WARNING is used", value);
            return DocaLogLevel.WARNING;
        }
    }
}
