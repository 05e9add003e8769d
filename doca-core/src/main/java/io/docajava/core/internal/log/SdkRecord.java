/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.log;

import io.docajava.core.DocaLogLevel;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.event.Level;

/**
 * One record of the SDK's log.
 *
 * @param level how much it matters
 * @param text what it says, without the SDK's own prefix and line end
 */
record SdkRecord(DocaLogLevel level, String text) {

    /**
     * {@code [HH:MM:SS:uuuuuu][pid][DOCA][LVL][file:line][function] text}; older releases lack some of the brackets. Few
     * brackets are tried, for a record may come on a thread of the SDK with a small stack.
     */
    private static final Pattern LINE = Pattern.compile(
            "(?:\\[[^\\]]*\\]){0,3}?\\[DOCA\\]\\[(CRT|ERR|WRN|INF|DBG|TRC)\\](?:\\[[^\\]]*\\]){0,2}:?\\s?(.*)",
            Pattern.DOTALL);

    /**
     * Reads a record.
     *
     * @param fallback the level of a record in an unknown form, which is taken whole
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
