/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Writes the page with the figures of a run, and its charts. */
public final class ResultsPage {

    private static final int DEPTH = 32;
    private static final int SMALL = 64;

    private ResultsPage() {}

    /**
     * Writes {@code results.md}, {@code ratio.svg} and {@code nanos.svg}.
     *
     * @param command the command that started the run
     */
    public static void write(Path folder, List<Figure> figures, Map<String, String> machine, String command)
            throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("ratio.svg"), RatioChart.of(figures, DEPTH));
        Files.writeString(folder.resolve("nanos.svg"), NanosChart.of(figures, SMALL, DEPTH));
        Files.writeString(folder.resolve("results.md"), markdown(figures, machine, command));
    }

    static String markdown(List<Figure> figures, Map<String, String> machine, String command) {
        Table conditions = new Table("", "");
        machine.forEach(conditions::row);
        Table commands = new Table("case", "command");
        figures.forEach(figure -> commands.row(title(figure), "`scripts/benchmark '" + pattern(figure) + "'`"));
        return """
                # Results

                Written by `%s`; the next run replaces it. `docs/performance/README.md` describes the method.

                ## Goals

                %s
                ## Figures

                Times are of one operation. The ratio is the throughput of Java divided by that of C, for each pair of
                slices; the table has the median of all pairs, and the quartiles. For the start-up, the ratio is the time of
                Java divided by that of its baseline.

                ![Throughput of Java relative to C](ratio.svg)

                ![Time of a copy in C, and what Java adds](nanos.svg)

                %s
                ## Machine

                %s
                ## Commands to repeat each figure

                %s""".formatted(
                        command,
                        Goal.table(Goal.of(figures)).toMarkdown(),
                        Table.of(figures).toMarkdown(),
                        conditions.toMarkdown(),
                        commands.toMarkdown());
    }

    private static String title(Figure figure) {
        return (figure.name() + " " + (figure.size() == null ? "" : Numbers.size(figure.size())) + " "
                        + (figure.depth() == null ? "" : figure.depth()))
                .strip();
    }

    /** Returns the pattern that matches only this case. */
    private static String pattern(Figure figure) {
        if (figure.name().startsWith("startup")) {
            return "^startup$";
        }
        return "^" + figure.name() + (figure.size() == null ? "" : "/" + figure.size())
                + (figure.depth() == null ? "" : "/" + figure.depth()) + "$";
    }
}
