/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.acceptance;

import io.docajava.samples.acceptance.Step.Outcome;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;

/** Runs steps, tells the user of each, and adds them to the report. */
final class StepRunner {

    private static final Pattern LOG_HEAD = Pattern.compile("(?:\\[[^]]*])+ ");

    private final Path logs;
    private final Report report;
    private final PrintWriter out;
    private final Duration limit;
    private long start = System.nanoTime();

    StepRunner(Path logs, Report report, PrintWriter out, Duration limit) {
        this.logs = logs;
        this.report = report;
        this.out = out;
        this.limit = limit;
    }

    /** Runs a step in this process. It returns what it did. */
    void run(String name, Callable<String> step) throws InterruptedException {
        try {
            done(name, Outcome.PASSED, step.call());
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            done(name, Outcome.FAILED, String.valueOf(e.getMessage()));
        }
    }

    /** Runs a sample without a peer. */
    void sample(String name, String... arguments) throws InterruptedException {
        end(name, Program.sample(logs.resolve(name + ".log"), Map.of(), List.of(arguments)), limit);
    }

    /** Waits for the end of a program, whose exit code is the outcome. Returns whether it has passed. */
    boolean end(String name, Program program, Duration longest) throws InterruptedException {
        int exitCode = program.end(longest);
        return exitCode == 0
                ? done(name, Outcome.PASSED, "")
                : failed(name, "exit code " + exitCode + ": " + lastLine(program));
    }

    /** Ends the program that waits for the other one, and then the other one. */
    boolean endBoth(String name, Program first, Program second) throws InterruptedException {
        int exitCode = second.end(limit);
        int other = exitCode == 0 ? first.end(limit) : -1;
        first.kill();
        return (exitCode == 0 && other == 0)
                ? done(name, Outcome.PASSED, "")
                : failed(
                        name,
                        "exit codes " + other + " and " + exitCode + ": " + lastLine(exitCode == 0 ? first : second));
    }

    private boolean failed(String name, String detail) {
        return done(name, tellsOfLack(detail) ? Outcome.SKIPPED : Outcome.FAILED, detail);
    }

    /** Returns whether a message reports a function or a capability that the release lacks, which is no fault. */
    static boolean tellsOfLack(String message) {
        return message.contains("DOCA_ERROR_NOT_SUPPORTED")
                || message.contains(" is not in libdoca_")
                || message.contains("No DOCA device with support for RDMA task ");
    }

    private static String lastLine(Program program) {
        return program.output()
                .strip()
                .lines()
                .filter(line -> !line.contains("Sample finished"))
                .reduce("", (earlier, later) -> LOG_HEAD.matcher(later).replaceFirst(""));
    }

    /** Returns whether a line is one of a log, and not of a table. */
    static boolean isLogged(String line) {
        return LOG_HEAD.matcher(line).lookingAt();
    }

    void skip(String name, String reason) {
        add(Step.skipped(name, reason));
    }

    private boolean done(String name, Outcome outcome, String detail) {
        add(new Step(name, outcome, (System.nanoTime() - start) / 1e9, detail));
        return outcome == Outcome.PASSED;
    }

    private void add(Step step) {
        report.add(step);
        out.printf(
                Locale.ROOT,
                "%-8s %-34s %6.1f s  %s%n",
                step.outcome().name().toLowerCase(Locale.ROOT),
                step.name(),
                step.seconds(),
                step.detail());
        out.flush();
        start = System.nanoTime();
    }
}
