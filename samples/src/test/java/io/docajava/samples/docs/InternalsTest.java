/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.samples.docs.ways.TracedWays;
import io.docajava.testing.TestJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the files of each way in {@code docs/internals.md} against a trace of the calls. {@code -Ddoca.docs.write=true} rewrites
 * them.
 */
class InternalsTest {

    private static final Path PAGE = Path.of("..", "docs", "internals.md");
    private static final String BEGIN = "<!-- InternalsTest writes what follows. -->\n";
    private static final String END = "<!-- The end of what InternalsTest writes. -->\n";

    @TempDir
    private Path folder;

    @Test
    void pageNamesTheFilesOfEachWay() throws Exception {
        String page = Files.readString(PAGE);
        String traced = page.substring(0, page.indexOf(BEGIN) + BEGIN.length())
                + trace().stream().collect(joining("\n", "", "\n"))
                + page.substring(page.indexOf(END));
        if (Boolean.getBoolean("doca.docs.write")) {
            Files.writeString(PAGE, traced);
        }
        assertThat(PAGE).as("write it anew by -Ddoca.docs.write=true").hasContent(traced);
    }

    /** Traces in another JVM, in which no class of doca-java is loaded. */
    private List<String> trace() throws Exception {
        Path result = folder.resolve("ways");
        List<String> command = TestJvm.command();
        command.addAll(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-Ddoca.backend=emulator",
                "-cp",
                TestJvm.classPath(System.getProperty("samples.testClasses")),
                TracedWays.class.getName(),
                result.toString()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        // The page describes the emulator. A build that tests a real SDK sets variables that would lead to that SDK.
        builder.environment().keySet().removeIf(name -> name.startsWith("DOCA_") || name.startsWith("LD_"));
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return Files.readAllLines(result);
    }
}
