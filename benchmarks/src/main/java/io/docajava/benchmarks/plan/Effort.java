/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.plan;

import java.time.Duration;

/**
 * The effort for each case.
 *
 * @param rounds how often all cases are gone through, each time with a new JVM for each
 * @param budget the time that no further JVM is started after; the first round is made in any case
 * @param warmups slices for warm-up, of each JVM
 * @param pairs slices that count, of each JVM: one in C and one in Java each
 * @param slice the time of one
 */
public record Effort(int rounds, Duration budget, int warmups, int pairs, Duration slice) {

    /** Well within three minutes on two cores. */
    public static final Effort QUICK = new Effort(3, Duration.ofSeconds(160), 3, 6, Duration.ofMillis(150));

    /** As long as it takes. */
    public static final Effort FULL = new Effort(3, Duration.ofDays(1), 4, 10, Duration.ofMillis(400));
}
