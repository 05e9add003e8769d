/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.call;

import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.internal.log.ErrorRecords;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.internal.NativeMemory;
import io.docajava.ffi.internal.OpenFiles;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks the results of C functions. The errors that the SDK logs during a call become part of the exception. Therefore every
 * failure must be passed to this class, even an expected one: use {@link #probe}, or {@link #discardErrors} after it was handled.
 */
public final class Calls {

    private static final int SUCCESS = 0;

    private static final Pattern LINE_BREAK = Pattern.compile("\\s*\\R\\s*");

    private Calls() {}

    /**
     * Called with the handles of functions that end what is created next: their classes are then initialized. A class whose
     * initialization runs out of memory can never be used again, and what it closes would stay open for ever.
     */
    public static void prepare(MethodHandle... handles) {
        // The arguments have initialized the classes.
        Objects.requireNonNull(handles);
    }

    /**
     * Throws unless a call succeeded.
     *
     * @param result what the function returned
     * @param function its C name
     * @param attempt the attempted operation: {@code starting the Mmap of 4096 bytes}
     * @throws DocaCallException if the result is not success
     */
    public static void check(int result, String function, String attempt) {
        if (result != SUCCESS) {
            throw failure(result, function, attempt);
        }
        ErrorRecords.forget();
    }

    /**
     * Returns the exception for a failed call, with the reasons that the SDK has logged on this thread. The parameters are those of
     * {@link #check}.
     */
    public static DocaCallException failure(int result, String function, String attempt) {
        return failure(result, function, attempt, reasons());
    }

    /**
     * Returns the errors that the SDK has logged on this thread since the last call that was checked here. For callers that
     * create the exceptions later.
     */
    public static List<String> reasons() {
        return ErrorRecords.take();
    }

    /** As {@link #failure(int, String, String)}, with earlier {@link #reasons()}. */
    public static DocaCallException failure(int result, String function, String attempt, List<String> reasons) {
        return new DocaCallException(message(result, function, attempt, reasons), result, function);
    }

    /** Returns the message of {@link #failure}, for an exception of another class. */
    public static String message(int result, String function, String attempt, List<String> reasons) {
        StringBuilder message = new StringBuilder(capitalize(attempt))
                .append(": ")
                .append(function)
                .append(" failed with ")
                .append(name(result))
                .append(" (")
                .append(NativeMemory.string(
                        DocaCommon.doca_error_get_descr(result).address()))
                .append(')');
        if (!reasons.isEmpty()) {
            message.append(reasons.stream().map(Calls::inOneLine).collect(Collectors.joining("; ", ": ", "")));
        }
        return message.toString();
    }

    /**
     * Ends a call that failed, or may have failed, without an exception: discards the errors that the SDK has logged, so that
     * they do not become the reasons of a later failure. Fast enough for any path.
     */
    public static void discardErrors() {
        ErrorRecords.forget();
    }

    /**
     * Makes calls for which a failure is a valid answer, for example whether a device has a property. Errors that the SDK logs
     * during the calls are logged at the level DEBUG, and become the reasons only of exceptions of these calls.
     *
     * @return the result of the calls
     */
    public static <T extends @Nullable Object> T probe(Supplier<T> calls) {
        return ErrorRecords.expect(calls);
    }

    /** Returns what to do if this process cannot open a file now, as part of a message; null if it can. */
    public static @Nullable String openFilesRemedy() {
        return OpenFiles.isLimitReached() ? OpenFiles.REMEDY : null;
    }

    /** Returns the name of a result, which an older SDK may not know. */
    private static String name(int result) {
        DocaError error = DocaError.of(result);
        return error == DocaError.UNRECOGNIZED ? "error " + result : "DOCA_ERROR_" + error;
    }

    private static String inOneLine(String reason) {
        return LINE_BREAK.matcher(reason).replaceAll(" ");
    }

    private static String capitalize(String attempt) {
        return attempt.isEmpty() ? attempt : Character.toUpperCase(attempt.charAt(0)) + attempt.substring(1);
    }
}
