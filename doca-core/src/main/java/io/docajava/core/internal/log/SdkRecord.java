/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.log;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.event.Level;

/**
 * One record of the SDK's log.
 *
 * @param level how SLF4J calls its level
 * @param text what it says, without the SDK's own prefix and line end
 */
record SdkRecord(Level level, String text) {

    /** {@code [HH:MM:SS:uuuuuu][pid][DOCA][LVL][file:line][function] text}; older releases lack some of the brackets. */
    private static final Pattern LINE = Pattern.compile(
            "^(?:\\[[^\\]]*\\])*?\\[DOCA\\]\\[(CRT|ERR|WRN|INF|DBG|TRC)\\](?:\\[[^\\]]*\\]){0,2}:?\\s?(.*)$",
            Pattern.DOTALL);

    /** Reads a record; one in an unknown form is taken whole, as information. */
    static SdkRecord parse(String line) {
        String record = line.stripTrailing();
        Matcher matcher = LINE.matcher(record);
        return matcher.matches()
                ? new SdkRecord(level(matcher.group(1)), matcher.group(2))
                : new SdkRecord(Level.INFO, record);
    }

    private static Level level(String tag) {
        return switch (tag) {
            case "CRT", "ERR" -> Level.ERROR;
            case "WRN" -> Level.WARN;
            case "DBG" -> Level.DEBUG;
            case "TRC" -> Level.TRACE;
            default -> Level.INFO;
        };
    }
}
