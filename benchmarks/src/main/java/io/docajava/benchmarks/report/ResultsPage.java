/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The page of a run's figures, and its charts. */
public final class ResultsPage {

    private static final int DEPTH = 32;
    private static final int SMALL = 64;

    private ResultsPage() {}

    /**
     * Writes {@code results.md}, {@code ratio.svg} and {@code nanos.svg}.
     *
     * @param command what the run was started by
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

                Written by `%s`; the next run replaces it. `docs/performance/README.md` tells how this is measured.

                ## Goals

                %s
                ## Figures

                Times are of one operation. The ratio is the throughput of Java by that of C, of each pair of slices; the
                table has the median of all pairs, and between which values half of them are. For the start-up, the ratio
                is the time by that of what it is compared with.

                ![Throughput of Java by that of C](ratio.svg)

                ![Time of a copy in C, and what Java adds](nanos.svg)

                %s
                ## Machine

                %s
                ## Each figure again

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

    /** The pattern that means this case alone. */
    private static String pattern(Figure figure) {
        if (figure.name().startsWith("startup")) {
            return "^startup$";
        }
        return "^" + figure.name() + (figure.size() == null ? "" : "/" + figure.size())
                + (figure.depth() == null ? "" : "/" + figure.depth()) + "$";
    }
}
