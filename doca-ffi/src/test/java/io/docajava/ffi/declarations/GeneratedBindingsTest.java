/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.declarations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.docajava.ffi.testing.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests that {@code scripts/generate-bindings} reproduces the committed bindings from the committed headers. */
@Execution(ExecutionMode.CONCURRENT)
class GeneratedBindingsTest {

    @Test
    void generatingThemAgainChangesNothing(@TempDir Path output) throws IOException {
        assumeThat(Command.run(List.of("sh", "-c", "command -v jextract"), Map.of())
                        .exitCode())
                .as("jextract is on the PATH")
                .isZero();

        Command.output(List.of("../scripts/generate-bindings", "--output", output.toString()));

        SortedMap<String, String> committed = read(Path.of("src/generated/java"));
        SortedMap<String, String> generated = read(output);
        assertThat(generated.keySet()).isEqualTo(committed.keySet());
        assertThat(generated.keySet())
                .allSatisfy(file -> assertThat(generated.get(file)).isEqualTo(committed.get(file)));
    }

    private static SortedMap<String, String> read(Path root) throws IOException {
        SortedMap<String, String> files = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(root)) {
            for (Path file : paths.filter(Files::isRegularFile).toList()) {
                files.put(root.relativize(file).toString(), Files.readString(file));
            }
        }
        return files;
    }
}
