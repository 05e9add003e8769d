/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.log;

import org.slf4j.Logger;
import org.slf4j.helpers.NOPLogger;

/**
 * Writes log records from code that must go on if the log fails. An appender may throw: logback, for example, passes on the errors
 * of its appenders, such as a {@link NoClassDefFoundError}.
 */
public final class SafeLog {

    private SafeLog() {}

    /**
     * Writes a record. If that fails, the thread's handler of uncaught exceptions gets the failure.
     *
     * @param write calls the logger
     */
    public static void write(Runnable write) {
        try {
            write.run();
        } catch (Throwable failure) {
            passToThread(failure);
        }
    }

    /**
     * Writes a record of an exception. If that fails, the thread's handler of uncaught exceptions gets the exception, which then
     * suppresses the failure.
     *
     * @param write calls the logger with the exception
     */
    public static void write(Throwable logged, Runnable write) {
        try {
            write.run();
        } catch (Throwable failure) {
            Throwables.suppress(logged, failure);
            passToThread(logged);
        }
    }

    /**
     * Logs an exception of a callback, which no caller can catch, as an error. If SLF4J has no provider and would drop the record, or
     * the log fails, the thread's handler of uncaught exceptions gets the exception.
     */
    public static void callbackFailed(Logger log, String message, Throwable failure) {
        if (log instanceof NOPLogger) {
            passToThread(failure);
        } else {
            write(failure, () -> log.error(message, failure));
        }
    }

    /** Passes an exception to the handler of uncaught exceptions of the calling thread. */
    private static void passToThread(Throwable failure) {
        Thread thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
        } catch (Throwable ignored) {
            // Ignored as by the JVM: the handler is the last resort.
        }
    }
}
