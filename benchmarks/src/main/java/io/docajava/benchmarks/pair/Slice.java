/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.pair;

/**
 * A measurement of the worker in C.
 *
 * @param operations the number of operations, at least 1
 * @param nanos the total time
 */
public record Slice(long operations, long nanos) {

    /**
     * Parses an answer of the worker: two numbers.
     *
     * @throws IllegalStateException if it is an error, or not an answer
     */
    public static Slice parse(String answer) {
        if (answer.startsWith("error")) {
            throw new IllegalStateException("The worker in C failed: "
                    + answer.substring("error".length()).strip());
        }
        String[] words = answer.strip().split(" ", -1);
        try {
            if (words.length == 2) {
                Slice slice = new Slice(Long.parseLong(words[0]), Long.parseLong(words[1]));
                if (slice.operations > 0 && slice.nanos > 0) {
                    return slice;
                }
            }
        } catch (NumberFormatException e) {
            throw new IllegalStateException("The worker in C answered \"" + answer + "\"", e);
        }
        throw new IllegalStateException("The worker in C answered \"" + answer + "\"");
    }

    /** Returns the time of one operation in nanoseconds. */
    public double nanosPerOperation() {
        return (double) nanos / operations;
    }
}
