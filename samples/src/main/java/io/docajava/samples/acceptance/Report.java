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

/** Writes the results of a run into a folder: {@code report.md}, {@code report.json}, {@code figures.csv} and a chart. */
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

    /** Adds a table as perftest prints it. */
    void addTable(String table) {
        perftest.add(table);
    }

    boolean hasPassed() {
        return steps.stream().noneMatch(step -> step.outcome() == Outcome.FAILED);
    }

    void write(Path folder) throws IOException {
        Files.writeString(folder.resolve("report.md"), markdown());
        Files.writeString(folder.resolve("report.json"), json());
        Files.writeString(folder.resolve("figures.csv"), csv());
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
            perftest.forEach(table -> page.append("\n```text\n").append(table).append("\n```\n"));
        }
        return page.toString();
    }

    private String csv() {
        StringBuilder lines = new StringBuilder(String.join(",", COLUMNS)).append('\n');
        figures.forEach(figure -> lines.append(String.join(",", cells(figure))).append('\n'));
        return lines.toString();
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
        root.put(
                "steps",
                steps.stream()
                        .map(step -> Map.of(
                                "name", step.name(),
                                "outcome", step.outcome().name().toLowerCase(Locale.ROOT),
                                "seconds", step.seconds(),
                                "detail", step.detail()))
                        .toList());
        root.put("figures", figures.stream().map(Report::object).toList());
        return JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT).asString(root) + "\n";
    }

    private static Map<String, Object> object(Figure figure) {
        Map<String, Object> object = new LinkedHashMap<>();
        List<String> cells = cells(figure);
        for (int i = 0; i < COLUMNS.size(); i++) {
            object.put(COLUMNS.get(i), cells.get(i));
        }
        return object;
    }
}
