/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.plan;

import io.docajava.benchmarks.pair.NativePrograms;
import io.docajava.benchmarks.pair.Pair;
import io.docajava.benchmarks.pair.PairProfiler;
import io.docajava.core.Doca;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Measures cases by JMH, each in its own JVM. */
public final class CaseRunner {

    private final Effort effort;

    /** Creates a runner with this effort for each case. */
    public CaseRunner(Effort effort) {
        this.effort = effort;
    }

    /** A case could not be measured. */
    public static final class CaseFailure extends Exception {

        private static final long serialVersionUID = 1;

        CaseFailure(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /**
     * Measures a case once, in a new JVM.
     *
     * @throws CaseFailure if that fails; the message has the reason
     */
    public List<Pair> measure(BenchCase what) throws CaseFailure {
        Path log = temporary("benchmark-", ".log");
        String environment = environment(what.api());
        Path java = environment.isEmpty() ? java() : javaWith(environment);
        try {
            return new Runner(options(what, log, java))
                    .run().stream().flatMap(run -> pairs(run).stream()).toList();
        } catch (RunnerException e) {
            throw new CaseFailure(reason(log), e);
        } finally {
            delete(log);
            if (!environment.isEmpty()) {
                delete(java);
            }
        }
    }

    private Options options(BenchCase what, Path log, Path java) {
        TimeValue slice = TimeValue.nanoseconds(effort.slice().toNanos());
        OptionsBuilder options = new OptionsBuilder();
        options.include("^" + what.api().benchmark() + "$")
                .forks(1)
                .warmupIterations(effort.warmups())
                .warmupTime(slice)
                .measurementIterations(effort.pairs())
                .measurementTime(slice)
                .addProfiler(PairProfiler.class)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.NORMAL)
                .output(log.toString())
                .jvm(java.toString())
                .jvmArgs(
                        "--enable-native-access=ALL-UNNAMED",
                        "--illegal-native-access=deny",
                        "--sun-misc-unsafe-memory-access=allow",
                        // The first use of each page of the heap takes longer than the copies whose objects are in it.
                        "-Xms512m",
                        "-XX:+AlwaysPreTouch",
                        // Chosen here once, so that the JVMs do not search for them and log the result.
                        "-Ddoca.backend=" + Doca.backend().name().toLowerCase(Locale.ROOT),
                        "-D" + NativePrograms.FOLDER + "="
                                + Objects.requireNonNullElse(System.getProperty(NativePrograms.FOLDER), ""));
        if (what.api().hasSize()) {
            options.param("size", String.valueOf(what.size()));
        }
        if (what.api().hasDepth()) {
            options.param("depth", String.valueOf(what.depth()));
        }
        return options.build();
    }

    private static List<Pair> pairs(RunResult run) {
        List<Pair> pairs = new ArrayList<>();
        run.getBenchmarkResults().forEach(fork -> {
            for (IterationResult iteration : fork.getIterationResults()) {
                pairs.add(new Pair(
                        iteration.getPrimaryResult().getScore(),
                        secondary(iteration, PairProfiler.C_NANOS),
                        secondary(iteration, PairProfiler.BYTES)));
            }
        });
        return pairs;
    }

    private static double secondary(IterationResult iteration, String name) {
        Result<?> result = iteration.getSecondaryResults().get(name);
        return result == null ? Double.NaN : result.getScore();
    }

    private static Path java() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }

    /** Returns the environment variable of a case, or an empty text: the side of the emulator's bus, or the release. */
    private static String environment(Api api) {
        if (api.isOnWorkQueues()) {
            return "DOCA_EMULATOR_RELEASE=2.2";
        }
        return api.isOnHost() ? "DOCA_EMULATOR_ROLE=host" : "";
    }

    /** Writes a script that starts Java with the environment variable, because JMH cannot set one. */
    private static Path javaWith(String environment) {
        Path script = temporary("java-", ".sh");
        try {
            Files.writeString(script, "#!/bin/sh\n" + environment + " exec '" + java() + "' \"$@\"\n");
            Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return script;
    }

    /** Returns the errors in JMH's output: the first line of each exception. */
    private static String reason(Path log) {
        try {
            List<String> lines = Files.readAllLines(log).stream()
                    .filter(line -> line.contains("Exception: ") || line.contains("Error: "))
                    .distinct()
                    .limit(3)
                    .toList();
            return lines.isEmpty() ? String.join("\n", Files.readAllLines(log)) : String.join("; ", lines);
        } catch (IOException e) {
            return "JMH failed, and its output cannot be read:  " + e;
        }
    }

    private static Path temporary(String prefix, String suffix) {
        try {
            return Files.createTempFile(prefix, suffix);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
