/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Durations as the nanoseconds that clocks count in. */
public final class Deadlines {

    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private Deadlines() {}

    /** The nanoseconds of a duration: 0 for a negative one, and 292 years for any longer one. */
    public static long nanos(Duration duration) {
        if (duration.isNegative()) {
            return 0;
        }
        return duration.compareTo(LONGEST) > 0 ? Long.MAX_VALUE : duration.toNanos();
    }

    /** A duration for messages, as {@link #nanos} takes it: {@code 2 s}, {@code 2500 ms}, {@code 0 ms} for a negative one. */
    public static String text(Duration duration) {
        long millis = TimeUnit.NANOSECONDS.toMillis(nanos(duration));
        return millis > 0 && millis % 1000 == 0 ? millis / 1000 + " s" : millis + " ms";
    }
}
