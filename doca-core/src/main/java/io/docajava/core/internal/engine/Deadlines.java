/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Converts durations to nanoseconds and to text for messages. */
public final class Deadlines {

    private Deadlines() {}

    /** Returns a duration in nanoseconds: 0 if it is negative, and at most {@link Long#MAX_VALUE} (292 years). */
    public static long nanos(Duration duration) {
        if (duration.isNegative()) {
            return 0;
        }
        return duration.compareTo(Duration.ofNanos(Long.MAX_VALUE)) > 0 ? Long.MAX_VALUE : duration.toNanos();
    }

    /**
     * Returns a duration for messages, such as {@code 2 s} or {@code 2500 ms}; {@code 0 ms} if it is negative. Less than a millisecond is
     * exact, such as {@code 500 ns}.
     */
    public static String text(Duration duration) {
        long nanos = nanos(duration);
        long millis = TimeUnit.NANOSECONDS.toMillis(nanos);
        if (nanos > 0 && millis == 0) {
            return nanos + " ns";
        }
        return millis > 0 && millis % 1000 == 0 ? millis / 1000 + " s" : millis + " ms";
    }
}
