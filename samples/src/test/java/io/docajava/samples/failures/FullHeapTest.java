/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.failures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.docajava.testing.Await;
import io.docajava.testing.FullTests;
import io.docajava.testing.NeedsEmulator;
import io.docajava.testing.TestJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that completions which cannot be delivered because the heap is full are delivered when it no longer is. */
@NeedsEmulator
@Timeout(600)
class FullHeapTest {

    @TempDir
    private Path folder;

    @Test
    void losesNoFuture() throws Exception {
        assumeTrue(FullTests.enabled(), "fills a heap for some seconds: runs with -Pfull");
        List<String> command = TestJvm.command();
        command.addAll(List.of(
                "-Xmx24m",
                "-Ddoca.backend=emulator",
                "-Ddoca.log.level=CRIT",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                TestJvm.classPath(System.getProperty("samples.testClasses")),
                FullHeap.class.getName()));
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(Await.LIMIT_S, TimeUnit.SECONDS);
        process.destroyForcibly().waitFor();
        List<String> scenarios = List.of(
                "copies: 15 [SUCCESS]",
                "failing copies: 15 [FAILED]",
                "sends and receives: 16 [SUCCESS]",
                "graphs: 1 [FAILED]",
                "running: false",
                "loop: 16, alive: true");
        assertThat(Files.readAllLines(output))
                .containsExactlyElementsOf(
                        Stream.of(scenarios, scenarios, List.of("rounds without memory: true", "objects left: 0"))
                                .flatMap(List::stream)
                                .toList());
        assertThat(ended).as("ended in time").isTrue();
    }
}
