/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.filecopy;

import java.util.Locale;

/**
 * The result of a copy.
 *
 * @param bytes the size of the file
 * @param nanoseconds from the beginning of the copy to its end
 * @param sha256 of the file, as {@code sha256sum} writes it
 */
record CopyReport(long bytes, long nanoseconds, String sha256) {

    private static final double KIBI = 1024;

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%d bytes in %.3f s, %s, SHA-256 %s",
                bytes,
                nanoseconds / 1e9,
                rate(bytes, nanoseconds),
                sha256);
    }

    /** Formats a rate with a suitable unit. */
    static String rate(long bytes, long nanoseconds) {
        double kibibytes = bytes * (1e9 / KIBI) / Math.max(nanoseconds, 1);
        if (kibibytes < KIBI) {
            return rate(kibibytes, "KiB/s");
        }
        double mebibytes = kibibytes / KIBI;
        return mebibytes < KIBI ? rate(mebibytes, "MiB/s") : rate(mebibytes / KIBI, "GiB/s");
    }

    private static String rate(double number, String unit) {
        return String.format(Locale.ROOT, "%.2f %s", number, unit);
    }
}
