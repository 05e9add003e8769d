/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.report;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes figures as a list of objects, for other programs. */
public final class Json {

    private Json() {}

    /** Returns all figures, with one object in each line. */
    public static String of(List<Figure> figures) {
        return figures.stream().map(Json::object).collect(Collectors.joining(",\n  ", "[\n  ", "\n]\n"));
    }

    private static String object(Figure figure) {
        Spread ratio = figure.ratio();
        return new Members()
                .text("case", figure.name())
                .number("size", figure.size())
                .number("depth", figure.depth())
                .number("ratio", ratio == null ? null : ratio.median())
                .number("addedNanos", median(figure.addedNanos()))
                .number("bytesPerOp", figure.bytesPerOp())
                .number("javaNanos", figure.javaNanos().median())
                .number("baseNanos", median(figure.baseNanos()))
                .text("baseline", figure.baseline())
                .number("ratioLow", ratio == null ? null : ratio.low())
                .number("ratioHigh", ratio == null ? null : ratio.high())
                .number("pairs", figure.javaNanos().count())
                .end();
    }

    private static @Nullable Double median(@Nullable Spread spread) {
        return spread == null ? null : spread.median();
    }

    private static final class Members {

        private final StringBuilder json = new StringBuilder("{");

        Members text(String name, @Nullable String value) {
            return member(name, value == null ? "null" : quote(value));
        }

        Members number(String name, @Nullable Number value) {
            if (value instanceof Double real) {
                // JSON has only finite numbers.
                return member(
                        name,
                        Double.isInfinite(real) || Double.isNaN(real)
                                ? "null"
                                : String.format(Locale.ROOT, "%.4f", real).replaceFirst("\\.?0+$", ""));
            }
            return member(name, String.valueOf(value));
        }

        private Members member(String name, String value) {
            json.append(json.length() > 1 ? ", " : "")
                    .append(quote(name))
                    .append(": ")
                    .append(value);
            return this;
        }

        String end() {
            return json.append('}').toString();
        }

        private static String quote(String text) {
            StringBuilder quoted = new StringBuilder("\"");
            text.chars().forEach(c -> {
                if (c == '"' || c == '\\') {
                    quoted.append('\\').append((char) c);
                } else if (c < ' ') {
                    quoted.append(String.format(Locale.ROOT, "\\u%04x", c));
                } else {
                    quoted.append((char) c);
                }
            });
            return quoted.append('"').toString();
        }
    }
}
