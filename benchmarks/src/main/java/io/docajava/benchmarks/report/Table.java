/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Rows of text in columns. The first column is left-aligned, all others right-aligned. */
public final class Table {

    private final List<List<String>> rows = new ArrayList<>();

    /** Creates a table with this header. */
    public Table(String... head) {
        rows.add(List.of(head));
    }

    /** Returns the table of figures. */
    public static Table of(List<Figure> figures) {
        Table table =
                new Table("case", "size", "depth", "Java ns", "C ns", "ratio (quartiles)", "added ns", "B/op", "pairs");
        for (Figure figure : figures) {
            table.row(
                    figure.name(),
                    Numbers.size(figure.size()),
                    Numbers.count(figure.depth()),
                    Numbers.nanos(figure.javaNanos()),
                    Numbers.nanos(figure.baseNanos()),
                    Numbers.ratio(figure.ratio()),
                    Numbers.nanos(figure.addedNanos()),
                    Numbers.bytes(figure.bytesPerOp()),
                    String.valueOf(figure.javaNanos().count()));
        }
        return table;
    }

    /**
     * Adds a row.
     *
     * @throws IllegalArgumentException if its number of cells differs from the header
     */
    public Table row(String... cells) {
        if (cells.length != rows.getFirst().size()) {
            throw new IllegalArgumentException("A row of " + cells.length + " cells in a table of "
                    + rows.getFirst().size() + " columns");
        }
        rows.add(List.of(cells));
        return this;
    }

    /** Returns the table for a terminal. */
    public String toText() {
        int[] widths = IntStream.range(0, rows.getFirst().size())
                .map(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        return rows.stream()
                .map(row -> IntStream.range(0, widths.length)
                        .mapToObj(column -> pad(row.get(column), widths[column], column == 0))
                        .collect(Collectors.joining("  "))
                        .stripTrailing())
                .collect(Collectors.joining("\n", "", "\n"));
    }

    /** Returns the table in Markdown. */
    public String toMarkdown() {
        String rule = rows.getFirst().stream().map(cell -> "---").collect(Collectors.joining("|", "|", "|"));
        return rows.stream()
                .map(row -> row.stream()
                        .map(cell -> cell.replace("|", "\\|"))
                        .collect(Collectors.joining(" | ", "| ", " |")))
                .collect(Collectors.collectingAndThen(Collectors.toList(), lines -> {
                    lines.add(1, rule);
                    return String.join("\n", lines) + "\n";
                }));
    }

    private static String pad(String cell, int width, boolean atLeft) {
        String space = " ".repeat(width - cell.length());
        return atLeft ? cell + space : space + cell;
    }
}
