/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.Doca;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The first example of the README, as readers copy it. */
@Timeout(60)
class FirstExampleTest {

    private static final String OPENED = "start(engine)) {\n";

    @TempDir
    private Path folder;

    /** Whatever readers do in a loop, the example leaves nothing behind. */
    @Test
    void canBeRepeatedForEver() throws Exception {
        String readme = Files.readString(Path.of(System.getProperty("basedir", "."), "..", "README.md"));
        int begin = readme.indexOf("```java\n") + "```java\n".length();
        String example = readme.substring(begin, readme.indexOf("```", begin)).strip();
        assertThat(example).contains(OPENED).endsWith("}");
        String repeated = example.replace(OPENED, OPENED + "for (int i = 0; i < 1000; i++) {\n") + "}\n";
        Path source = Files.writeString(folder.resolve("Example.java"), """
                import io.docajava.core.device.*;
                import io.docajava.core.memory.*;
                import io.docajava.core.progress.*;
                import io.docajava.dma.*;

                void main() throws Exception {
                """ + repeated + "}\n");

        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Ddoca.backend=" + Doca.backend().name().toLowerCase(Locale.ROOT),
                        "-cp",
                        classPath(),
                        source.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);

        assertThat(process.waitFor()).as(output).isZero();
    }

    /** What this JVM has on its module path and its class path. */
    private static String classPath() {
        return Stream.of("jdk.module.path", "java.class.path")
                .map(System::getProperty)
                .filter(Objects::nonNull)
                .collect(Collectors.joining(File.pathSeparator));
    }
}
