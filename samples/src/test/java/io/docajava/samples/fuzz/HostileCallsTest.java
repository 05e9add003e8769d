/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.testing.FullTests;
import io.docajava.testing.NeedsEmulator;
import io.docajava.testing.TestJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Calls the public API of all modules in random order with random arguments, in separate JVMs. A failure names the seed and
 * the last calls; {@code -Ddoca.seed=...} repeats that seed, except for the timing of threads. {@code -Pfull} runs for ten
 * minutes, or for the duration of {@code -Ddoca.fuzz.seconds=...}; a usual build runs a few fixed seeds.
 */
@NeedsEmulator
@Timeout(1200)
class HostileCallsTest {

    private static final boolean FULL = FullTests.enabled();
    private static final long SECONDS = Long.getLong("doca.fuzz.seconds", FULL ? 600 : 0);

    /** The number of seeds of one JVM. */
    private static final int SEEDS = SECONDS > 0 ? 20 : 6;

    /** The number of recorded calls that a failure shows. */
    private static final int LINES = 60;

    /** Longer than any JVM runs, as its own watchdog ends it when one call takes too long. */
    private static final long MAX_SECONDS = 600;

    @TempDir
    private Path folder;

    @Test
    void endInNothingButExceptions() throws Exception {
        Long seed = Long.getLong("doca.seed");
        if (seed != null) {
            run(seed, 1);
            return;
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        long first = SECONDS > 0 ? ThreadLocalRandom.current().nextInt(1_000_000_000) : 1;
        do {
            run(first, SEEDS);
            first += SEEDS;
        } while (System.nanoTime() - end < 0);
    }

    private void run(long firstSeed, int seeds) throws Exception {
        Path calls = folder.resolve("calls");
        Path output = folder.resolve("output");
        List<String> command = TestJvm.command();
        command.addAll(List.of(
                "-Xmx256m",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:+ErrorFileToStdout",
                "-Ddoca.backend=emulator",
                "-Ddoca.log.level=CRIT",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                TestJvm.classPath(System.getProperty("samples.testClasses")),
                HostileCalls.class.getName(),
                calls.toString(),
                Long.toString(firstSeed),
                Integer.toString(seeds)));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(MAX_SECONDS, TimeUnit.SECONDS);
        if (!ended) {
            process.destroyForcibly().waitFor();
        }
        if (!ended || process.exitValue() != 0) {
            throw new AssertionError("Exit code " + process.exitValue() + (ended ? "" : ", as it did not end") + "\n"
                    + tail(calls) + "\n" + tail(output));
        }
        assertThat(tail(output)).contains("calls: ");
    }

    private static String tail(Path file) throws Exception {
        List<String> lines = new String(Files.readAllBytes(file), UTF_8).lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
    }
}
