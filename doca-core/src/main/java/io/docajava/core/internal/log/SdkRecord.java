/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.log;

import io.docajava.core.DocaLogLevel;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.event.Level;

/**
 * One record of the SDK's log.
 *
 * @param level its severity
 * @param text its message, without the SDK's prefix and the line end
 */
record SdkRecord(DocaLogLevel level, String text) {

    /**
     * {@code [HH:MM:SS:uuuuuu][pid][DOCA][LVL][file:line][function] text}; older releases lack some of the brackets. The number
     * of brackets is limited, since the thread may have a small stack.
     */
    private static final Pattern LINE = Pattern.compile(
            "(?:\\[[^\\]]*\\]){0,3}?\\[DOCA\\]\\[(CRT|ERR|WRN|INF|DBG|TRC)\\](?:\\[[^\\]]*\\]){0,2}:?\\s?(.*)",
            Pattern.DOTALL);

    /**
     * Parses a record.
     *
     * @param fallback the level of a record in an unknown format, whose whole line is the text
     */
    static SdkRecord parse(String line, DocaLogLevel fallback) {
        String record = line.stripTrailing();
        Matcher matcher = LINE.matcher(record);
        return matcher.matches()
                ? new SdkRecord(level(matcher.group(1)), matcher.group(2))
                : new SdkRecord(fallback, record);
    }

    /** Returns the record's level in SLF4J. */
    Level slf4jLevel() {
        return switch (level) {
            case DISABLE, CRIT, ERROR -> Level.ERROR;
            case WARNING -> Level.WARN;
            case INFO -> Level.INFO;
            case DEBUG -> Level.DEBUG;
            case TRACE -> Level.TRACE;
        };
    }

    private static DocaLogLevel level(String tag) {
        return switch (tag) {
            case "CRT" -> DocaLogLevel.CRIT;
            case "ERR" -> DocaLogLevel.ERROR;
            case "WRN" -> DocaLogLevel.WARNING;
            case "INF" -> DocaLogLevel.INFO;
            case "DBG" -> DocaLogLevel.DEBUG;
            default -> DocaLogLevel.TRACE;
        };
    }
}
