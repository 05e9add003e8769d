/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.log;

import io.docajava.core.DocaLogLevel;
import io.docajava.ffi.log.SdkLog;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The errors that the SDK logs on a thread while a call is under way there: the reasons, should the call fail. The code that
 * learns the outcome of a call takes or forgets them, so that they are never taken for the reasons of a later one.
 */
public final class ErrorRecords {

    /** The largest number of records in a message: the first ones are the nearest to the cause. */
    private static final int LIMIT = 4;

    /** DOCA 2.5 logs this after each task that the device has failed. It is no reason for anything. */
    private static final String HARMLESS = "Unable to transition QP to error";

    private ErrorRecords() {}

    /** Returns the records of this thread, the oldest first and each text once, and forgets them. */
    public static List<String> take() {
        List<String> lines = SdkLog.takeErrors();
        return lines.isEmpty()
                ? lines
                : lines.stream()
                        .map(line -> SdkRecord.parse(line, DocaLogLevel.ERROR).text())
                        .filter(text -> !text.contains(HARMLESS))
                        .distinct()
                        .limit(LIMIT)
                        .toList();
    }

    /** Forgets the records of this thread: the call that logged them has ended. Cheap enough for any path. */
    public static void forget() {
        SdkLog.forgetErrors();
    }

    /** Runs calls whose failures are answers: their records are no errors to anybody, and forgotten in the end. */
    public static <T extends @Nullable Object> T expect(Supplier<T> calls) {
        boolean before = SdkLog.expectErrors(true);
        try {
            return calls.get();
        } finally {
            SdkLog.expectErrors(before);
            SdkLog.forgetErrors();
        }
    }
}
