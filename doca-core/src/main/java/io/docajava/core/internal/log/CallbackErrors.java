/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.log;

import org.slf4j.Logger;
import org.slf4j.helpers.NOPLogger;

/** Reports exceptions of callbacks, which no caller can catch. */
public final class CallbackErrors {

    private CallbackErrors() {}

    /**
     * Logs an exception as an error. If SLF4J has no provider and would drop the record, the thread's handler of uncaught
     * exceptions gets the exception.
     */
    public static void report(Logger log, String message, Throwable failure) {
        if (log instanceof NOPLogger) {
            Thread thread = Thread.currentThread();
            try {
                thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
            } catch (Throwable ignored) {
                // Ignored as by the JVM: the handler is the last resort.
            }
        } else {
            log.error(message, failure);
        }
    }
}
