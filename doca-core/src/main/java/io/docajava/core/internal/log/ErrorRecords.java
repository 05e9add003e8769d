/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.log;

import io.docajava.core.DocaLogLevel;
import io.docajava.ffi.log.SdkLog;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The errors that the SDK logs on a thread during a call, which are the reasons if the call fails. The code that checks the
 * result of a call takes or discards them, so that they never become the reasons of a later failure.
 */
public final class ErrorRecords {

    /** The maximum number of records in a message. The first ones are closest to the cause. */
    private static final int LIMIT = 4;

    /**
     * Records that describe what follows a failure, and are never a reason: DOCA 2.5 logs the first one after each task that has
     * failed on the device, and DOCA 3.0 the second one when a context stops with tasks.
     */
    private static final List<String> CONSEQUENCES = List.of("Unable to transition QP to error", "unfreed tasks");

    private ErrorRecords() {}

    /** Returns and discards the records of this thread, the oldest first and without duplicates. */
    public static List<String> take() {
        List<String> lines = SdkLog.takeErrors();
        return lines.isEmpty()
                ? lines
                : lines.stream()
                        .map(line -> SdkRecord.parse(line, DocaLogLevel.ERROR).text())
                        .filter(text -> CONSEQUENCES.stream().noneMatch(text::contains))
                        .distinct()
                        .limit(LIMIT)
                        .toList();
    }

    /** Discards the records of this thread after the call that logged them has ended. Fast enough for any path. */
    public static void forget() {
        SdkLog.forgetErrors();
    }

    /**
     * Makes calls for which a failure is a valid answer: their records are not logged as errors, and are discarded at the end.
     */
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
