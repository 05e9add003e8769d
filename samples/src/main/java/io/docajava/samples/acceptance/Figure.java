/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.acceptance;

import java.util.Arrays;

/**
 * A line of the table of figures.
 *
 * @param mode throughput, bulk latency or precision latency, as doca_bench calls them
 * @param operation what was measured, such as dma copy
 * @param size the bytes of an operation
 * @param threads the number of threads, each with an engine and a context
 * @param depth the operations in flight, of each thread
 * @param operations how many were completed
 * @param seconds the time that they took
 * @param latency of one operation, from its submission to its handler
 */
record Figure(
        String mode,
        String operation,
        long size,
        int threads,
        int depth,
        long operations,
        double seconds,
        Latency latency) {

    double megaOperations() {
        return operations / seconds / 1e6;
    }

    /** Returns 10^9 bytes a second. */
    double gigaBytes() {
        return operations * size / seconds / 1e9;
    }

    /** Times in microseconds. */
    record Latency(double min, double average, double p99, double p999) {

        /** Sorts the times, which are in nanoseconds. */
        static Latency of(long[] nanos) {
            Arrays.sort(nanos);
            return new Latency(
                    nanos[0] / 1e3,
                    Arrays.stream(nanos).average().orElse(0) / 1e3,
                    percentile(nanos, 0.99),
                    percentile(nanos, 0.999));
        }

        private static double percentile(long[] sorted, double share) {
            return sorted[(int) Math.min(Math.ceil(share * sorted.length), sorted.length) - 1] / 1e3;
        }
    }
}
