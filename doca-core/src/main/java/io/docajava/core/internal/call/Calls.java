/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.call;

import io.docajava.core.DocaException;
import io.docajava.core.internal.log.ErrorRecords;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.internal.NativeMemory;
import java.util.List;
import java.util.function.Supplier;

/** Checks the results of C functions. */
public final class Calls {

    private static final int SUCCESS = 0;

    private Calls() {}

    /**
     * Throws unless a call succeeded.
     *
     * @param result what the function returned
     * @param function its C name
     * @param attempt what was tried, in domain words: {@code starting the Mmap of 4096 bytes}
     * @throws DocaException if the result is not success
     */
    public static void check(int result, String function, String attempt) {
        if (result != SUCCESS) {
            throw failure(result, function, attempt);
        }
        ErrorRecords.forget();
    }

    /** As {@link #check(int, String, String)}, for an attempt that is costly to put into words. */
    public static void check(int result, String function, Supplier<String> attempt) {
        if (result != SUCCESS) {
            throw failure(result, function, attempt.get());
        }
        ErrorRecords.forget();
    }

    /**
     * The exception for a call that failed, with the reasons that the SDK logged on this thread.
     *
     * @param result what the function returned
     * @param function its C name
     * @param attempt what was tried, in domain words
     */
    public static DocaException failure(int result, String function, String attempt) {
        List<String> reasons = ErrorRecords.take();
        StringBuilder message = new StringBuilder(capitalize(attempt))
                .append(": ")
                .append(function)
                .append(" failed with ")
                .append(NativeMemory.string(
                        DocaCommon.doca_error_get_name(result).address()))
                .append(" (")
                .append(NativeMemory.string(
                        DocaCommon.doca_error_get_descr(result).address()))
                .append(')');
        if (!reasons.isEmpty()) {
            message.append(": ").append(String.join("; ", reasons));
        }
        return new DocaException(message.toString(), result, function);
    }

    private static String capitalize(String attempt) {
        return attempt.isEmpty() ? attempt : Character.toUpperCase(attempt.charAt(0)) + attempt.substring(1);
    }
}
