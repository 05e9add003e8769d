/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.docajava.core.Doca;
import io.docajava.core.DocaLogLevel;
import org.slf4j.LoggerFactory;

/** Sets the levels of the log, by DOCA's levels. */
public final class LogLevels {

    static final String SDK_LOGGER = "io.docajava.sdk";

    private static final String PROGRAM_LOGGER = "io.docajava";

    private LogLevels() {}

    /** Sets the level of the lines of programs and doca-java. */
    public static void setProgram(DocaLogLevel level) {
        set(PROGRAM_LOGGER, level);
    }

    /** Sets the level of the lines of the DOCA libraries. */
    public static void setSdk(DocaLogLevel level) {
        Doca.setSdkLogLevel(level);
        set(SDK_LOGGER, level);
    }

    private static void set(String logger, DocaLogLevel level) {
        ((Logger) LoggerFactory.getLogger(logger)).setLevel(inJava(level));
    }

    /** SLF4J has one level for critical lines and errors, so either level shows both. */
    private static Level inJava(DocaLogLevel level) {
        return switch (level) {
            case DISABLE -> Level.OFF;
            case CRIT, ERROR -> Level.ERROR;
            case WARNING -> Level.WARN;
            case INFO -> Level.INFO;
            case DEBUG -> Level.DEBUG;
            case TRACE -> Level.TRACE;
        };
    }
}
