/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.docs;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.samples.docs.ways.TracedWays;
import io.docajava.testing.TestJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
        Path output = folder.resolve("output");
        List<String> command = TestJvm.command();
        command.addAll(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-Ddoca.backend=emulator",
                "-cp",
                TestJvm.classPath(System.getProperty("samples.testClasses")),
                TracedWays.class.getName(),
                result.toString()));
        ProcessBuilder process =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        // The page tells of the emulator, also in a build that tests a real SDK.
        process.environment().keySet().removeIf(name -> name.startsWith("DOCA_") || name.startsWith("LD_"));
        int exit = process.start().waitFor();
        assertThat(exit)
                .as(() -> new String(bytes(output), StandardCharsets.UTF_8))
                .isZero();
        return Files.readAllLines(result);
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
