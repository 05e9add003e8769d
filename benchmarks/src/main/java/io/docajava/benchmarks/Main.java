/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks;

import io.docajava.benchmarks.plan.BenchCase;
import io.docajava.benchmarks.plan.CaseRunner;
import io.docajava.benchmarks.plan.Effort;
import io.docajava.benchmarks.plan.Session;
import io.docajava.benchmarks.report.Figure;
import io.docajava.benchmarks.report.Goal;
import io.docajava.benchmarks.report.Json;
import io.docajava.benchmarks.report.Machine;
import io.docajava.benchmarks.report.ResultsPage;
import io.docajava.benchmarks.report.Table;
import io.docajava.benchmarks.startup.StartUp;
import io.docajava.core.Doca;
import io.docajava.ffi.Backend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The program {@code scripts/benchmark}. */
@Command(
        name = "benchmark",
        sortOptions = false,
        description = {
            "Runs Java and C in alternation, and prints what Java costs.",
            "With --jmh as the first argument, all others are JMH's own."
        })
public final class Main implements Callable<Integer> {

    private static final String STARTUP = "startup";
    private static final int QUICK_STARTS = 3;
    private static final int FULL_STARTS = 15;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this help")
    @SuppressWarnings("unused") // picocli acts on it
    private boolean help;

    @Option(
            names = "--quick",
            description =
                    "Measure for a short time, and without patterns only what the goals are about: within three minutes")
    private boolean quick;

    @Option(names = "--list", description = "List the cases and measure nothing")
    private boolean list;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write the figures as JSON")
    private @Nullable Path json;

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            description = "Where to write the page of results and the charts; with patterns they are written only"
                    + " when this is given, and else to docs/performance")
    private @Nullable Path out;

    @Parameters(
            paramLabel = "PATTERN",
            description = "Regular expressions: measure the cases in whose names one is found")
    private List<Pattern> patterns = new ArrayList<>();

    private Main() {}

    /** Runs the command of the arguments. */
    public static void main(String[] args) {
        // Other users may run JMH on the machine at the same time, which JMH would refuse.
        System.setProperty("jmh.ignoreLock", "true");
        System.exit(new CommandLine(new Main())
                .setUsageHelpWidth(110)
                .setExecutionExceptionHandler((failure, line, parsed) -> {
                    line.getErr().println("benchmark: " + failure.getMessage());
                    return 1;
                })
                .execute(args));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        long start = System.nanoTime();
        List<BenchCase> cases = (quick && patterns.isEmpty() ? BenchCase.quick() : BenchCase.all())
                .stream()
                        .filter(each -> each.matches(patterns))
                        .filter(each -> !each.api().isOnWorkQueues() || Doca.backend() == Backend.EMULATOR)
                        .toList();
        boolean starts = patterns.isEmpty()
                || patterns.stream()
                        .anyMatch(pattern -> pattern.matcher(STARTUP).find());
        if (cases.isEmpty() && !starts) {
            throw new IOException("no case is meant by " + patterns + "; --list lists all");
        }
        if (list) {
            cases.forEach(each -> System.out.println(each.name()));
            if (starts) {
                System.out.println(STARTUP);
            }
            return 0;
        }
        checkOutputs();
        Effort effort = quick ? Effort.QUICK : Effort.FULL;
        Session session = new Session(new CaseRunner(effort), effort, System.err, start);
        session.measureOnce(cases);
        List<Figure> startUps = starts ? startUp() : List.of();
        session.measureAgain();
        List<Figure> figures = new ArrayList<>(session.figures());
        figures.addAll(startUps);
        report(figures);
        session.failures().forEach((failed, reason) -> System.out.println(failed.name() + ": not measured: " + reason));
        return session.failures().isEmpty() ? 0 : 1;
    }

    /** Checks the output files before anything is measured, so that no measurement is lost. */
    private void checkOutputs() throws IOException {
        Path file = json;
        if (file != null) {
            Path folder = file.toAbsolutePath().getParent();
            if (Files.isDirectory(file) || folder == null || !Files.isWritable(Files.exists(file) ? file : folder)) {
                throw new IOException("cannot write " + file + ", the file of --json");
            }
        }
        if (out != null || patterns.isEmpty()) {
            Path folder = outputFolder();
            try {
                Files.createDirectories(folder);
            } catch (IOException e) {
                throw new IOException("cannot make the folder " + folder + " for the results", e);
            }
            if (!Files.isWritable(folder)) {
                throw new IOException("cannot write to the folder " + folder + " for the results");
            }
        }
    }

    private Path outputFolder() throws IOException {
        return out == null ? property("doca.benchmarks.out") : out;
    }

    private List<Figure> startUp() throws IOException, InterruptedException {
        System.err.println(STARTUP + " ...");
        return new StartUp(property("doca.benchmarks.aot")).measure(quick ? QUICK_STARTS : FULL_STARTS);
    }

    private void report(List<Figure> figures) throws IOException {
        System.out.println();
        System.out.print(Table.of(figures).toText());
        figures.stream()
                .filter(figure -> figure.name().startsWith(STARTUP))
                .forEach(figure ->
                        System.out.println(figure.name() + ": times, compared with that of " + figure.baseline()));
        List<Goal> goals = Goal.of(figures).stream()
                .filter(goal -> patterns.isEmpty() || goal.verdict() != Goal.Verdict.NOT_MEASURED)
                .toList();
        if (!goals.isEmpty()) {
            System.out.println();
            System.out.print(Goal.table(goals).toText());
        }
        if (json != null) {
            Files.writeString(json, Json.of(figures));
        }
        if (out != null || patterns.isEmpty()) {
            Path folder = outputFolder();
            ResultsPage.write(folder, figures, Machine.describe(), command());
            System.out.println("\nWritten to " + folder + ": results.md, ratio.svg, nanos.svg");
        }
    }

    private String command() {
        StringBuilder command = new StringBuilder("scripts/benchmark");
        if (quick) {
            command.append(" --quick");
        }
        patterns.forEach(pattern -> command.append(" '").append(pattern).append('\''));
        return command.toString();
    }

    private static Path property(String name) throws IOException {
        String value = System.getProperty(name);
        if (value == null) {
            throw new IOException("the system property " + name + " is not set: use scripts/benchmark");
        }
        return Path.of(value);
    }
}
