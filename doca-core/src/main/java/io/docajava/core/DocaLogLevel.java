/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core;

/** Levels of the log of the DOCA libraries ({@code enum doca_log_level}). Each level includes those before it. */
public enum DocaLogLevel {
    /** Nothing. */
    DISABLE(10),
    /** Errors that end the program's work. */
    CRIT(20),
    /** Failed operations. */
    ERROR(30),
    /** Conditions that may be errors. */
    WARNING(40),
    /** Normal events. */
    INFO(50),
    /** Details for finding faults. */
    DEBUG(60),
    /** Everything. */
    TRACE(70);

    private final int value;

    DocaLogLevel(int value) {
        this.value = value;
    }

    /** {@return the number of this level in the C ABI, from 10 to 70} */
    public int value() {
        return value;
    }

    /**
     * {@return the level of a number in the C ABI; 10 is {@link #DISABLE}}
     *
     * @param value one of 10, 20, 30, 40, 50, 60 and 70
     * @throws IllegalArgumentException if it is another number
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
