/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.samples.SampleProcess.Result;
import io.docajava.testing.NeedsEmulator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code scripts/jshell} in a project that has been built. */
@NeedsEmulator
class JShellTest {

    private static final Path SCRIPTS = Path.of("..", "scripts").toAbsolutePath();

    @TempDir
    private Path root;

    @BeforeEach
    void layOutProject() throws IOException {
        Path library = Files.createDirectories(root.resolve("samples/target/lib"));
        int number = 0;
        for (String entry : System.getProperty("samples.modulePath").split(":", -1)) {
            Path path = Path.of(entry).toAbsolutePath();
            // The folders of all modules have the same name.
            String name = Files.isDirectory(path)
                    ? "classes-" + number++
                    : path.getFileName().toString();
            Files.createSymbolicLink(library.resolve(name), path);
        }
        Files.createDirectory(root.resolve("scripts"));
        writeScript("jshell", Files.readString(SCRIPTS.resolve("jshell")));
        writeScript("sample", "#!/bin/sh\n");
        writeScript("find-jdk", "#!/bin/sh\necho '" + System.getProperty("java.home") + "'\n");
        Files.copy(SCRIPTS.resolve("jshell-imports.jsh"), root.resolve("scripts/jshell-imports.jsh"));
    }

    private void writeScript(String name, String text) throws IOException {
        Path script = Files.writeString(root.resolve("scripts").resolve(name), text);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void theExampleOfTheReadmeWorksThere() throws Exception {
        Matcher example = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(SCRIPTS.resolveSibling("README.md")));
        assertThat(example.find()).isTrue();
        // The echo of jshell and the output of the program may be interleaved.
        Path output = root.resolve("output");
        Path input = Files.writeString(
                root.resolve("input"),
                "var copies = new java.util.ArrayList<String>()\n"
                        + "copies.add(Doca.backend() + \" \" + PciAddress.parse(\"03:00.0\"))\n"
                        + example.group(1).replace("System.out.println(", "copies.add(")
                        + "java.nio.file.Files.write(java.nio.file.Path.of(\"" + output + "\"), copies)\n/exit\n");

        Result result = RunningProgram.start(SampleProcess.prepare(
                        List.of("sh", "-c", root.resolve("scripts/jshell") + " -s <" + input),
                        Map.of("DOCA_BACKEND", "emulator")))
                .end();

        assertThat(output).hasContent("EMULATOR 0000:03:00.0\nHello, DPU");
        assertThat(String.join("\n", result.out())).doesNotContain("|  Error", "|  Exception");
        assertThat(result.exitCode()).isZero();
    }
}
