/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Locale;

/**
 * Formats log lines as DOCA does: {@code [HH:MM:SS:uuuuuu][pid][DOCA][INF][File.java:line][method] text}. Lines of the
 * DOCA libraries have no file, line and method.
 */
public final class DocaLayout extends LayoutBase<ILoggingEvent> {

    // A fixed locale: the digits of some locales are not ASCII.
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss:SSSSSS", Locale.ROOT).withZone(ZoneId.systemDefault());
    private static final long PID = ProcessHandle.current().pid();

    @Override
    public String doLayout(ILoggingEvent event) {
        StringBuilder line = new StringBuilder(160);
        appendField(line, TIME.format(timeOf(event)));
        appendField(line, PID);
        appendField(line, "DOCA");
        appendField(line, tag(event.getLevel()));
        if (!event.getLoggerName().equals(LogLevels.SDK_LOGGER)) {
            appendPlace(line, event);
        }
        line.append(' ').append(event.getFormattedMessage()).append('\n');
        if (event.getThrowableProxy() != null) {
            line.append(ThrowableProxyUtil.asString(event.getThrowableProxy()));
        }
        return line.toString();
    }

    private static Instant timeOf(ILoggingEvent event) {
        Instant precise = event.getInstant();
        return precise != null ? precise : Instant.ofEpochMilli(event.getTimeStamp());
    }

    private static String tag(Level level) {
        return switch (level.toInt()) {
            case Level.ERROR_INT -> "ERR";
            case Level.WARN_INT -> "WRN";
            case Level.INFO_INT -> "INF";
            case Level.DEBUG_INT -> "DBG";
            default -> "TRC";
        };
    }

    private static void appendPlace(StringBuilder line, ILoggingEvent event) {
        Arrays.stream(event.getCallerData())
                // Lines of a System.Logger have passed through classes of SLF4J.
                .filter(caller -> !caller.getClassName().startsWith("org.slf4j."))
                .findFirst()
                .ifPresent(caller -> {
                    appendField(line, caller.getFileName() + ":" + caller.getLineNumber());
                    appendField(line, caller.getMethodName());
                });
    }

    private static void appendField(StringBuilder line, Object field) {
        line.append('[').append(field).append(']');
    }
}
