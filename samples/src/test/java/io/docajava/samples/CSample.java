/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * NVIDIA's samples as the user has built them, in the folder {@code -Ddoca.c.samples}. It has the folders {@code dpu} and
 * {@code host} for the two sides. The name of a program is that of its sample, with or without the prefix {@code doca_}.
 */
final class CSample {

    private static final String PROPERTY = "doca.c.samples";
    private static final int DEPTH = 8;

    private CSample() {}

    /**
     * Fails if the folder of samples is missing or empty.
     *
     * @throws IOException if there is no such folder
     */
    static void checkFolder() throws IOException {
        if (System.getProperty(PROPERTY, "").isEmpty()) {
            throw new AssertionError(
                    "-D" + PROPERTY + "=DIR has to name the folder of NVIDIA's samples; in it, those built"
                            + " for the DPU are below dpu, and those built for the host below host");
        }
        if (find(root(), "").isEmpty()) {
            throw new AssertionError("There are no programs below " + root());
        }
    }

    private static Path root() {
        return Path.of(System.getProperty(PROPERTY)).toAbsolutePath();
    }

    /** Starts a sample with the emulator's libraries of a side. Skips the test if the sample was not built. */
    static RunningProgram start(String role, Path sockets, List<String> arguments) throws IOException {
        String name = arguments.getFirst();
        Path folder = root().resolve(role);
        Optional<Path> program = find(folder, name);
        assumeTrue(program.isPresent(), () -> "There is no program " + name + " or doca_" + name + " below " + folder);
        List<String> command = new ArrayList<>(arguments);
        command.set(0, program.orElseThrow().toString());
        Path libraries = CProgram.libraries(
                Path.of(System.getProperty("samples.sdk"), role.equals("host") ? "sdk-host" : "sdk"));
        String others = System.getenv().getOrDefault("LD_LIBRARY_PATH", "");
        ProcessBuilder builder = SampleProcess.prepare(
                command,
                Map.of(
                        "LD_LIBRARY_PATH",
                        others.isEmpty() ? libraries.toString() : libraries + ":" + others,
                        "DOCA_EMULATOR_ROLE",
                        role,
                        "DOCA_EMULATOR_RUNTIME_DIR",
                        sockets.toString()));
        // Merges the streams, as the samples log to either of them.
        return RunningProgram.start(builder.redirectErrorStream(true));
    }

    /** Finds a program by name, or any program if the name is empty. */
    private static Optional<Path> find(Path folder, String name) throws IOException {
        if (!Files.isDirectory(folder)) {
            return Optional.empty();
        }
        try (Stream<Path> found = Files.find(folder, DEPTH, (file, attributes) -> {
            String called = file.getFileName().toString();
            return attributes.isRegularFile()
                    && Files.isExecutable(file)
                    && (name.isEmpty() || called.equals(name) || called.equals("doca_" + name));
        })) {
            return found.findFirst();
        }
    }
}
