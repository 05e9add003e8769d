/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.acceptance;

import io.docajava.samples.Launcher;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A program of the run in a process of its own, whose output goes to a log. */
final class Program {

    private static final Duration TIME_TO_TELL = Duration.ofSeconds(5);

    private final Path log;
    private final Process process;

    private Program(Path log, Process process) {
        this.log = log;
        this.process = process;
    }

    /** Starts a sample on the same libraries as this process. */
    static Program sample(Path log, Map<String, String> environment, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=io.docajava.ffi");
        command.addAll(List.of("--module-path", System.getProperty("jdk.module.path", "")));
        command.addAll(List.of("--module", "io.docajava.samples/" + Launcher.class.getName()));
        command.addAll(arguments);
        return start(log, environment, command);
    }

    static Program start(Path log, Map<String, String> environment, List<String> command) {
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        try {
            return new Program(log, builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start " + command.getFirst(), e);
        }
    }

    /** Returns what the program has printed until now. */
    String output() {
        try {
            // A program may have been killed within a character.
            return new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until the program prints a text. Returns false if it ends or the time is over before. */
    boolean hasPrinted(String text, Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (!output().contains(text)) {
            if (System.nanoTime() > end || process.waitFor(20, TimeUnit.MILLISECONDS)) {
                return output().contains(text);
            }
        }
        return true;
    }

    /** Presses enter in the program. */
    void pressEnter() {
        try (OutputStream input = process.getOutputStream()) {
            input.write('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for the end, and returns the exit code. At the limit, the program prints its threads and is killed. */
    int end(Duration limit) throws InterruptedException {
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            signal("-QUIT");
            process.waitFor(TIME_TO_TELL.toMillis(), TimeUnit.MILLISECONDS);
        }
        kill();
        return process.waitFor();
    }

    void kill() {
        process.destroyForcibly();
    }

    private void signal(String signal) {
        try {
            new ProcessBuilder("kill", signal, Long.toString(process.pid()))
                    .inheritIO()
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
