/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.report;

import java.util.Arrays;
import java.util.stream.DoubleStream;

/**
 * The median of some values, and their quartiles: half of the values are between the quartiles.
 *
 * @param low the lower quartile
 * @param median the median
 * @param high the upper quartile
 * @param count the number of values
 */
public record Spread(double low, double median, double high, int count) {

    /**
     * Returns the spread of some values.
     *
     * @throws IllegalArgumentException if there are none, or one is not a number
     */
    public static Spread of(DoubleStream values) {
        double[] sorted = values.toArray();
        if (sorted.length == 0) {
            throw new IllegalArgumentException("There is no spread of no values");
        }
        Arrays.sort(sorted);
        // Sorting puts NaN last.
        if (Double.isNaN(sorted[sorted.length - 1])) {
            throw new IllegalArgumentException("A value is not a number");
        }
        return new Spread(quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75), sorted.length);
    }

    /** Interpolates between two values. */
    private static double quantile(double[] sorted, double share) {
        double place = share * (sorted.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }
}
