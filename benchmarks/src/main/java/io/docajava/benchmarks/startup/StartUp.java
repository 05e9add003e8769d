/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.startup;

import io.docajava.benchmarks.pair.NativePrograms;
import io.docajava.benchmarks.pair.Pair;
import io.docajava.benchmarks.report.Figure;
import io.docajava.core.Doca;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Measures the time from the start of a program to its first copy, or to the line that it prints. The programs are started in
 * turn, so that noise affects all of them.
 */
public final class StartUp {

    private static final String ONE_LINE = "a JVM that prints one line";

    private final Path aotFolder;

    /**
     * Creates a measurement.
     *
     * @param aotFolder the folder for new AOT caches
     */
    public StartUp(Path aotFolder) {
        this.aotFolder = aotFolder;
    }

    /** Creates the AOT caches, and then measures in rounds. */
    public List<Figure> measure(int rounds) throws IOException, InterruptedException {
        Path lineCache = train(OneLine.class);
        Path copyCache = train(FirstCopy.class);
        List<Pair> plain = new ArrayList<>();
        List<Pair> cached = new ArrayList<>();
        List<Pair> cachedByPlain = new ArrayList<>();
        List<Pair> c = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            double line = time(java(OneLine.class), "ready");
            double copy = time(java(FirstCopy.class), "ready");
            double cachedLine = time(java(OneLine.class, "-XX:AOTCache=" + lineCache, "-XX:AOTMode=on"), "ready");
            double cachedCopy = time(java(FirstCopy.class, "-XX:AOTCache=" + copyCache, "-XX:AOTMode=on"), "ready");
            double first = time(NativePrograms.program("doca_bench_first_copy"), "copied");
            plain.add(new Pair(copy, line, Double.NaN));
            cached.add(new Pair(cachedCopy, cachedLine, Double.NaN));
            cachedByPlain.add(new Pair(cachedCopy, line, Double.NaN));
            c.add(new Pair(cachedCopy, first, Double.NaN));
        }
        return List.of(
                Figure.ofTimes("startup", ONE_LINE, plain),
                Figure.ofTimes("startup-aot-plain", ONE_LINE + ", without an AOT cache", cachedByPlain),
                Figure.ofTimes("startup-aot", ONE_LINE + ", with an AOT cache as well", cached),
                Figure.ofTimes("startup-aot-c", "the same program in C", c));
    }

    /** Creates an AOT cache from one run. */
    private Path train(Class<?> program) throws IOException, InterruptedException {
        Files.createDirectories(aotFolder);
        Path cache = aotFolder.resolve(program.getSimpleName() + ".aot");
        Files.deleteIfExists(cache);
        time(java(program, "-XX:AOTCacheOutput=" + cache), "ready");
        if (!Files.exists(cache)) {
            throw new IOException("The JVM created no " + cache);
        }
        return cache;
    }

    private static ProcessBuilder java(Class<?> program, String... flags) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(Arrays.asList(flags));
        // Not --illegal-native-access=deny as elsewhere, because that disables the JDK's archive of modules.
        command.addAll(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-Ddoca.backend=" + Doca.backend().name().toLowerCase(Locale.ROOT),
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        return new ProcessBuilder(command);
    }

    /** Returns the time from the start of a program to its line, in nanoseconds. */
    private static double time(ProcessBuilder program, String line) throws IOException, InterruptedException {
        List<String> output = new ArrayList<>();
        program.redirectErrorStream(true);
        long start = System.nanoTime();
        Process process = program.start();
        double nanos = Double.NaN;
        try (BufferedReader lines = process.inputReader()) {
            for (String read = lines.readLine(); read != null; read = lines.readLine()) {
                if (Double.isNaN(nanos) && read.contains(line)) {
                    nanos = System.nanoTime() - start;
                }
                output.add(read);
            }
        }
        if (process.waitFor() != 0 || Double.isNaN(nanos)) {
            throw new IOException("A program failed: " + program.command() + "\n" + String.join("\n", output));
        }
        return nanos;
    }
}
