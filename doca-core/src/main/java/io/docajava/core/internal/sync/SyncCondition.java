/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.sync;

/**
 * The condition of a wait: a relation between the masked value and a number, both unsigned.
 *
 * @param mask the bits of the value to compare; all others count as 0
 */
record SyncCondition(Relation relation, long number, long mask) {

    private static final long ALL = -1;

    enum Relation {
        GREATER,
        EQUAL,
        NOT_EQUAL
    }

    boolean holds(long value) {
        long masked = value & mask;
        return switch (relation) {
            case GREATER -> Long.compareUnsigned(masked, number) > 0;
            case EQUAL -> masked == number;
            case NOT_EQUAL -> masked != number;
        };
    }

    /** Returns a value for which the condition does not hold, unless it holds for all values. */
    long unmet() {
        return switch (relation) {
            case GREATER -> 0;
            case EQUAL -> ~number;
            case NOT_EQUAL -> number;
        };
    }

    /** Refuses a condition that holds for no value. The largest masked value is the mask. */
    void check() {
        boolean isPossible = switch (relation) {
            case GREATER -> Long.compareUnsigned(number, mask) < 0;
            case EQUAL -> (number & ~mask) == 0;
            case NOT_EQUAL -> mask != 0 || number != 0;
        };
        if (!isPossible) {
            throw new IllegalArgumentException("A wait for a value " + this + " would never end");
        }
    }

    /** Returns the condition in words: {@code greater than 5}, {@code equal to 1 in the bits 0xff}. */
    @Override
    public String toString() {
        String words = switch (relation) {
            case GREATER -> "greater than ";
            case EQUAL -> "equal to ";
            case NOT_EQUAL -> "other than ";
        };
        return words + text(number) + (mask == ALL ? "" : " in the bits 0x" + Long.toHexString(mask));
    }

    /** Returns the text of a value for messages. */
    static String text(long value) {
        return Long.toUnsignedString(value);
    }
}
