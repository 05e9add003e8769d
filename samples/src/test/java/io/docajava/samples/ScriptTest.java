/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code scripts/sample}, in a project where all is built, with a java that tells what its input is. */
class ScriptTest {

    @TempDir
    private Path root;

    private void writeScript(String path, String text) throws IOException {
        Path script = root.resolve(path);
        Files.createDirectories(script.getParent());
        Files.writeString(script, text);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void javaHasAnInputEvenIfTheScriptHasNone() throws Exception {
        writeScript("scripts/sample", Files.readString(Path.of("..", "scripts", "sample")));
        writeScript("scripts/find-jdk", "#!/bin/sh\necho " + root + "\n");
        writeScript("bin/java", "#!/bin/sh\nreadlink /proc/$$/fd/0\n");
        for (String module : new String[] {"doca-ffi", "doca-emulator", "doca-core", "doca-dma"}) {
            Files.createDirectory(root.resolve(module));
        }
        Path input = Files.createFile(root.resolve("pom.xml"));
        Files.createDirectories(root.resolve("samples/target"));
        Files.createFile(root.resolve("samples/target/sample.built"));

        assertThat(inputOfJava("<&-")).isEqualTo("/dev/null");
        assertThat(inputOfJava("<pom.xml")).isEqualTo(input.toRealPath().toString());
    }

    private String inputOfJava(String input) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("sh", "-c", "exec scripts/sample any " + input)
                .directory(root.toFile())
                .redirectErrorStream(true)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
        process.waitFor();
        return out;
    }
}
