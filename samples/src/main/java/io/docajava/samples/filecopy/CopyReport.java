/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.filecopy;

import java.util.Locale;

/**
 * What was copied.
 *
 * @param bytes the size of the file
 * @param nanoseconds from the beginning of the copy to its end
 * @param sha256 of the file, as {@code sha256sum} writes it
 */
record CopyReport(long bytes, long nanoseconds, String sha256) {

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

    /** Bytes in a time, as a rate. */
    static String rate(long bytes, long nanoseconds) {
        return String.format(Locale.ROOT, "%.2f GiB/s", bytes / 1.073741824 / Math.max(nanoseconds, 1));
    }
}
