/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.log;

import org.slf4j.Logger;
import org.slf4j.helpers.NOPLogger;

/** Reports exceptions of callbacks, which have no caller that could catch them. */
public final class CallbackErrors {

    private CallbackErrors() {}

    /**
     * Logs an exception as an error. If SLF4J has no provider, so that the record would be lost, the thread's handler of uncaught
     * exceptions gets the exception.
     */
    public static void report(Logger log, String message, Throwable failure) {
        if (log instanceof NOPLogger) {
            Thread thread = Thread.currentThread();
            try {
                thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
            } catch (Throwable ignored) {
                // As the JVM does: the handler is the last resort.
            }
        } else {
            log.error(message, failure);
        }
    }
}
