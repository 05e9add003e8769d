/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.log;

import org.slf4j.Logger;
import org.slf4j.helpers.NOPLogger;

/** Reports exceptions of callbacks, which no caller can catch. */
public final class CallbackErrors {

    private CallbackErrors() {}

    /**
     * Logs an exception as an error. If SLF4J has no provider and would drop the record, or the log fails, the thread's handler of
     * uncaught exceptions gets the exception.
     */
    public static void report(Logger log, String message, Throwable failure) {
        if (log instanceof NOPLogger) {
            SafeLog.passToThread(failure);
        } else {
            SafeLog.write(failure, () -> log.error(message, failure));
        }
    }
}
