/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.acceptance;

import com.fasterxml.jackson.jr.ob.JSON;
import io.docajava.samples.acceptance.Step.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes the results of a run into a folder: {@code report.md}, {@code report.json}, tables for programs, and a chart. */
final class Report {

    private static final List<String> COLUMNS = List.of(
            "mode",
            "operation",
            "size [B]",
            "threads",
            "depth",
            "GB/s",
            "Mops/s",
            "latency min [us]",
            "latency average [us]",
            "latency 99 % [us]",
            "latency 99.9 % [us]");

    private final Map<String, String> facts;
    private final List<Step> steps = new ArrayList<>();
    private final List<Figure> figures = new ArrayList<>();
    private final List<String> perftest = new ArrayList<>();
    private final List<PerftestTable> rdma = new ArrayList<>();

    /** Creates a report without results. */
    Report(Map<String, String> facts) {
        this.facts = facts;
    }

    void add(Step step) {
        steps.add(step);
    }

    void add(Figure figure) {
        figures.add(figure);
    }

    /** Adds tables as perftest prints them. */
    void addTables(String tables) {
        perftest.add(tables);
        rdma.addAll(PerftestTable.parse(tables));
    }

    boolean hasPassed() {
        return steps.stream().noneMatch(step -> step.outcome() == Outcome.FAILED);
    }

    void write(Path folder) throws IOException {
        Files.writeString(folder.resolve("report.md"), markdown());
        Files.writeString(folder.resolve("report.json"), json());
        Files.writeString(folder.resolve("figures.csv"), csv());
        for (String quantity : List.of("bandwidth", "latency")) {
            writeRdma(folder, quantity);
        }
        Files.writeString(folder.resolve("throughput.svg"), ThroughputChart.of(figures));
    }

    private String markdown() {
        StringBuilder page = new StringBuilder("# Acceptance of doca-java\n\n| | |\n|---|---|\n");
        facts.forEach((name, value) ->
                page.append("| ").append(name).append(" | ").append(value).append(" |\n"));
        page.append("\n## Steps\n\n| step | result | time | detail |\n|---|---|---|---|\n");
        for (Step step : steps) {
            page.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %.1f s | %s |%n",
                    step.name(),
                    step.outcome().name().toLowerCase(Locale.ROOT),
                    step.seconds(),
                    step.detail().replace("|", "\\|")));
        }
        page.append(
                "\n## Copies\n\nWithin this process. 1 GB has 10^9 bytes; a latency is the time from the submission of a"
                        + " copy to its handler.\n\n");
        page.append("| ").append(String.join(" | ", COLUMNS)).append(" |\n").append("|---".repeat(COLUMNS.size()));
        page.append("|\n");
        figures.forEach(figure ->
                page.append("| ").append(String.join(" | ", cells(figure))).append(" |\n"));
        page.append("\n![Throughput of copies](throughput.svg)\n");
        if (!perftest.isEmpty()) {
            page.append(
                    "\n## RDMA between two processes\n\nIn the tables of perftest, where 1 MB has 1,048,576 bytes.\n");
            perftest.forEach(tables -> page.append("\n```text\n").append(tables).append("\n```\n"));
        }
        return page.toString();
    }

    private String csv() {
        StringBuilder lines = new StringBuilder(String.join(",", COLUMNS)).append('\n');
        figures.forEach(figure -> lines.append(String.join(",", cells(figure))).append('\n'));
        return lines.toString();
    }

    /** Writes all tables of a quantity, which have the same columns, into one file. */
    private void writeRdma(Path folder, String quantity) throws IOException {
        List<PerftestTable> tables =
                rdma.stream().filter(table -> table.quantity().equals(quantity)).toList();
        if (tables.isEmpty()) {
            return;
        }
        StringBuilder lines = new StringBuilder("operation,")
                .append(String.join(",", tables.getFirst().columns()))
                .append('\n');
        for (PerftestTable table : tables) {
            for (List<String> row : table.rows()) {
                lines.append(table.operation())
                        .append(',')
                        .append(String.join(",", row))
                        .append('\n');
            }
        }
        Files.writeString(folder.resolve("rdma-" + quantity + ".csv"), lines.toString());
    }

    private static List<String> cells(Figure figure) {
        return List.of(
                figure.mode(),
                figure.operation(),
                Long.toString(figure.size()),
                Integer.toString(figure.threads()),
                Integer.toString(figure.depth()),
                String.format(Locale.ROOT, "%.3f", figure.gigaBytes()),
                String.format(Locale.ROOT, "%.4f", figure.megaOperations()),
                String.format(Locale.ROOT, "%.2f", figure.latency().min()),
                String.format(Locale.ROOT, "%.2f", figure.latency().average()),
                String.format(Locale.ROOT, "%.2f", figure.latency().p99()),
                String.format(Locale.ROOT, "%.2f", figure.latency().p999()));
    }

    private String json() throws IOException {
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("facts", facts);
        root.put("steps", steps.stream().map(Report::object).toList());
        root.put(
                "figures",
                figures.stream().map(figure -> object(COLUMNS, cells(figure))).toList());
        root.put("rdma", rdma.stream().map(Report::object).toList());
        return JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT).asString(root) + "\n";
    }

    private static Map<String, Object> object(Step step) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("name", step.name());
        object.put("outcome", step.outcome().name().toLowerCase(Locale.ROOT));
        object.put("seconds", step.seconds());
        object.put("detail", step.detail());
        return object;
    }

    private static Map<String, Object> object(PerftestTable table) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("operation", table.operation());
        object.put("quantity", table.quantity());
        object.put(
                "rows",
                table.rows().stream().map(row -> object(table.columns(), row)).toList());
        return object;
    }

    private static Map<String, Object> object(List<String> columns, List<String> cells) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            object.put(columns.get(i), cells.get(i));
        }
        return object;
    }
}
