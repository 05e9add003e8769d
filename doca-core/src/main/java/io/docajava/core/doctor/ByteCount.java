/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.doctor;

/** Formats numbers of bytes for readers. */
final class ByteCount {

    private static final String[] UNITS = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

    private ByteCount() {}

    /** Returns the number in the largest unit that divides it, such as {@code 2 MiB}. */
    static String describe(long bytes) {
        int unit = bytes == 0 ? 0 : Math.min(Long.numberOfTrailingZeros(bytes) / 10, UNITS.length - 1);
        return (bytes >> (10 * unit)) + " " + UNITS[unit];
    }
}
