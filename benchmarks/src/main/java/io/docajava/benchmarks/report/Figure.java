/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.report;

import io.docajava.benchmarks.pair.Pair;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The result of a case. Medians are taken over all pairs. Ratio and difference are computed for each pair first, because its two
 * slices ran under the same conditions.
 *
 * @param name the case
 * @param size the number of bytes of an operation, null if it does not apply
 * @param depth the number of operations in flight, null if it does not apply
 * @param baseline the program that Java is compared with; null for none
 * @param javaNanos the time of an operation in Java
 * @param baseNanos the time of an operation of the baseline
 * @param ratio the throughput of Java divided by that of C; for the start-up, the time of Java divided by that of the baseline
 * @param addedNanos the additional time of an operation in Java
 * @param bytesPerOp the median of the bytes that an operation allocates on the heap
 */
public record Figure(
        String name,
        @Nullable Integer size,
        @Nullable Integer depth,
        @Nullable String baseline,
        Spread javaNanos,
        @Nullable Spread baseNanos,
        @Nullable Spread ratio,
        @Nullable Spread addedNanos,
        @Nullable Double bytesPerOp) {

    /** Smaller values stand for a few bytes in a slice of millions of operations, or for allocations of the JVM itself. */
    private static final double NO_BYTES = 0.005;

    /** The baseline of all cases except the start-up. */
    public static final String C = "C";

    /** Returns a figure of throughput. Pairs without a slice in C yield only times. */
    public static Figure ofPairs(String name, @Nullable Integer size, @Nullable Integer depth, List<Pair> pairs) {
        boolean hasC = pairs.stream().noneMatch(pair -> Double.isNaN(pair.cNanos()));
        return new Figure(
                name,
                size,
                depth,
                hasC ? C : null,
                spread(pairs, Pair::javaNanos),
                hasC ? spread(pairs, Pair::cNanos) : null,
                hasC ? spread(pairs, pair -> pair.cNanos() / pair.javaNanos()) : null,
                hasC ? spread(pairs, pair -> pair.javaNanos() - pair.cNanos()) : null,
                bytes(pairs));
    }

    /** Returns a figure of a time that is compared with another time. */
    public static Figure ofTimes(String name, String baseline, List<Pair> pairs) {
        return new Figure(
                name,
                64,
                1,
                baseline,
                spread(pairs, Pair::javaNanos),
                spread(pairs, Pair::cNanos),
                spread(pairs, pair -> pair.javaNanos() / pair.cNanos()),
                spread(pairs, pair -> pair.javaNanos() - pair.cNanos()),
                null);
    }

    /** Returns whether it is the figure of that case. */
    public boolean is(String otherName, int otherSize, int otherDepth) {
        return name.equals(otherName) && size != null && size == otherSize && depth != null && depth == otherDepth;
    }

    private static @Nullable Double bytes(List<Pair> pairs) {
        List<Pair> counted =
                pairs.stream().filter(pair -> !Double.isNaN(pair.bytes())).toList();
        if (counted.isEmpty()) {
            return null;
        }
        double median = spread(counted, Pair::bytes).median();
        return median < NO_BYTES ? 0 : median;
    }

    private static Spread spread(List<Pair> pairs, ToDoubleFunction<Pair> value) {
        return Spread.of(pairs.stream().mapToDouble(value));
    }
}
