/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.testing.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code scripts/end-with-parent}, by which Maven starts the builds in C. */
class EndWithParentTest {

    private static final String SCRIPT =
            Path.of("..", "scripts", "end-with-parent").toAbsolutePath().toString();

    /** A build with a compiler: prints the ids of both processes. */
    private static final String BUILD = "'" + SCRIPT + "' sh -c 'sleep 1000 & echo $$ $!; wait'";

    @TempDir
    private Path folder;

    private RunningProgram start(String commands) throws IOException {
        return RunningProgram.start(
                SampleProcess.prepare(List.of("sh", "-c", commands), Map.of()).directory(folder.toFile()));
    }

    @Test
    void returnsTheExitCodeOfTheCommand() throws Exception {
        SampleProcess.Result result =
                start("exec '" + SCRIPT + "' sh -c 'echo built; exit 3'").end();

        assertThat(result.out()).containsExactly("built");
        assertThat(result.exitCode()).isEqualTo(3);
    }

    @Test
    void theEndOfTheParentEndsTheCommand() throws Exception {
        // The second command keeps the shell from replacing itself by the first one.
        try (RunningProgram maven = start(BUILD + " >ids; :")) {
            List<String> build = build();
            maven.kill();

            awaitEnd(build);
        }
    }

    @Test
    void aSignalEndsTheCommand() throws Exception {
        try (RunningProgram script = start("exec " + BUILD + " >ids")) {
            List<String> build = build();
            script.terminate();

            assertThat(script.end().exitCode()).isEqualTo(128 + 15);
            awaitEnd(build);
        }
    }

    @Test
    void waitsForACommandWithTheSameFile() throws Exception {
        try (RunningProgram first = start("exec '" + SCRIPT + "' --lock lock sh -c 'echo locked; read end <&3' 3<&0")) {
            first.awaitOut("locked");
            try (RunningProgram second = start("exec '" + SCRIPT + "' --lock lock echo locked too 2>&1")) {
                second.awaitOut("waiting");
                first.type("\n");

                assertThat(second.end().out())
                        .containsExactly(
                                "end-with-parent: another command has locked lock; waiting until it ends ...",
                                "locked too");
            }
        }
    }

    private List<String> build() {
        Path ids = folder.resolve("ids");
        Await.until(() -> read(ids).endsWith("\n"), "the ids of the build");
        return List.of(read(ids).strip().split(" ", -1));
    }

    private static void awaitEnd(List<String> processes) {
        for (String process : processes) {
            // The system keeps a zombie if the first process of a container does not wait for it.
            Path status = Path.of("/proc", process, "status");
            Await.until(() -> !read(status).matches("(?s).*State:\\s*[^XZ\\s].*"), "the end of process " + process);
        }
    }

    /** Returns the text of a file, or an empty text if there is none. */
    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }
}
