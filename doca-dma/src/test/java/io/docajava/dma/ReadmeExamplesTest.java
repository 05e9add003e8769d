/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.Doca;
import io.docajava.testing.TestJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the examples of the README and the program of the first five minutes, as readers copy them. */
@Timeout(600)
class ReadmeExamplesTest {

    private static final String OPENED = "start(loop)) {\n";

    @TempDir
    private Path folder;

    /** The first example leaks nothing, however often it copies. */
    @Test
    void canBeRepeatedAnyNumberOfTimes() throws Exception {
        String example = completeExamples().getFirst();
        assertThat(example).contains(OPENED).endsWith("}");
        run(example.replace(OPENED, OPENED + "for (int i = 0; i < 1000; i++) {\n") + "}\n");
    }

    @Test
    void everyCompleteExampleRuns() throws Exception {
        List<String> examples = completeExamples();
        assertThat(examples).hasSizeGreaterThan(1);
        for (String example : examples) {
            run(example);
        }
    }

    @Test
    void theFirstProgramPrintsWhatThePageSays() throws Exception {
        List<String> programs = examples("docs/five-minutes.md", "import ");
        assertThat(programs).hasSize(1);
        assertThat(runProgram(programs.getFirst())).contains(Doca.backend() + " copied 64 bytes: Hello, DPU");
    }

    /** Returns the examples that begin with a device; the others are parts of programs. */
    private static List<String> completeExamples() throws IOException {
        return examples("README.md", "try \\(Device device");
    }

    private static List<String> examples(String page, String beginning) throws IOException {
        String text = Files.readString(Path.of(System.getProperty("basedir", "."), "..", page));
        return Pattern.compile("```java\n(" + beginning + ".*?)```", Pattern.DOTALL)
                .matcher(text)
                .results()
                .map(example -> example.group(1).strip())
                .toList();
    }

    private void run(String statements) throws Exception {
        runProgram("""
                import io.docajava.core.device.*;
                import io.docajava.core.memory.*;
                import io.docajava.core.progress.*;
                import io.docajava.dma.*;

                void main() throws Exception {
                """ + statements + "}\n");
    }

    /** Runs a program and returns its output. */
    private String runProgram(String program) throws Exception {
        Path source = Files.writeString(folder.resolve("Example.java"), program);
        List<String> command = TestJvm.command();
        command.addAll(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-Ddoca.backend=" + Doca.backend().name().toLowerCase(Locale.ROOT)));
        command.addAll(List.of("-cp", TestJvm.classPath(), source.toString()));
        return TestJvm.outputOf(
                new ProcessBuilder(command).redirectErrorStream(true).start());
    }
}
