/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.plan;

import java.time.Duration;

/**
 * The effort for each case.
 *
 * @param rounds the number of rounds of all cases; each case gets a new JVM in each round
 * @param budget the time after which no further JVM is started; the first round is always completed
 * @param warmups the number of warm-up slices of each JVM
 * @param pairs the number of measured pairs of each JVM: one slice in C and one in Java
 * @param slice the time of one slice
 */
public record Effort(int rounds, Duration budget, int warmups, int pairs, Duration slice) {

    /** Well within three minutes on two cores. */
    public static final Effort QUICK = new Effort(3, Duration.ofSeconds(160), 3, 6, Duration.ofMillis(150));

    /** Without a relevant time limit. */
    public static final Effort FULL = new Effort(3, Duration.ofDays(1), 4, 10, Duration.ofMillis(400));
}
