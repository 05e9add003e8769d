/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.report;

import java.util.stream.DoubleStream;

/**
 * Round numbers along an axis from 0.
 *
 * @param step the distance between two numbers
 * @param last the end of the axis
 */
record Ticks(double step, double last) {

    private static final int AT_MOST = 8;

    /** Returns the numbers up to a positive value. */
    static Ticks upTo(double value) {
        double step = Math.pow(10, Math.floor(Math.log10(value / AT_MOST)));
        for (double factor : new double[] {1, 2, 5, 10}) {
            if (Math.ceil(value / (step * factor)) <= AT_MOST) {
                double round = step * factor;
                return new Ticks(round, Math.ceil(value / round) * round);
            }
        }
        throw new IllegalArgumentException("No axis goes to " + value);
    }

    DoubleStream values() {
        return DoubleStream.iterate(0, i -> i <= Math.round(last / step), i -> i + 1)
                .map(i -> i * step);
    }
}
