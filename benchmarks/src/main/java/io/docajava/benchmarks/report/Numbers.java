/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.report;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formats numbers. */
final class Numbers {

    private static final String NOTHING = "-";

    private Numbers() {}

    /** Formats a time in nanoseconds with its significant digits, or in milliseconds with the unit. */
    static String nanos(@Nullable Spread spread) {
        return spread == null ? NOTHING : nanos(spread.median());
    }

    static String nanos(double nanos) {
        if (Math.abs(nanos) >= 1e7) {
            return format("%,.0f ms", nanos / 1e6);
        }
        return format(Math.abs(nanos) < 1000 ? "%.1f" : "%,.0f", nanos);
    }

    /** Formats a ratio with its quartiles. */
    static String ratio(@Nullable Spread spread) {
        return spread == null ? NOTHING : format("%.2f (%.2f-%.2f)", spread.median(), spread.low(), spread.high());
    }

    /** Formats a number of bytes on the heap. */
    static String bytes(@Nullable Double bytes) {
        return bytes == null ? NOTHING : bytes == 0 ? "0" : format("%.2f", bytes);
    }

    /** Formats a size in bytes. */
    static String size(@Nullable Integer size) {
        if (size == null) {
            return NOTHING;
        }
        if (size >= 1 << 20 && size % (1 << 20) == 0) {
            return (size >> 20) + " MiB";
        }
        return size >= 1 << 10 && size % (1 << 10) == 0 ? (size >> 10) + " KiB" : size + " B";
    }

    static String count(@Nullable Integer count) {
        return count == null ? NOTHING : count.toString();
    }

    /** Like {@link String#format}, independent of the locale. */
    @SuppressWarnings("AnnotateFormatMethod") // Error Prone's annotation would be one more dependency
    static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
