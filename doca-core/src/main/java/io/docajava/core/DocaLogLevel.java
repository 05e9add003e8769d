/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core;

/** How much the DOCA libraries log ({@code enum doca_log_level}); each level includes those before it. */
public enum DocaLogLevel {
    /** Nothing. */
    DISABLE(10),
    /** What ends the work. */
    CRIT(20),
    /** What failed. */
    ERROR(30),
    /** What may be wrong. */
    WARNING(40),
    /** What happens. */
    INFO(50),
    /** What helps to find faults. */
    DEBUG(60),
    /** Everything. */
    TRACE(70);

    private final int value;

    DocaLogLevel(int value) {
        this.value = value;
    }

    /** The number of this level in the C ABI. */
    public int value() {
        return value;
    }

    /**
     * The level of a number.
     *
     * @throws IllegalArgumentException if it is none of 10, 20, 30, 40, 50, 60 and 70
     */
    public static DocaLogLevel of(int value) {
        for (DocaLogLevel level : values()) {
            if (level.value == value) {
                return level;
            }
        }
        throw new IllegalArgumentException("A DOCA log level is 10, 20, 30, 40, 50, 60 or 70, and not " + value);
    }
}
