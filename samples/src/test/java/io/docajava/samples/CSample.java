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
 * NVIDIA's samples as their user has built them, in the folder that {@code -Ddoca.c.samples} names: those for the DPU below
 * {@code dpu}, those for the host below {@code host}, each called as its sample or {@code doca_} and that.
 */
final class CSample {

    private static final String PROPERTY = "doca.c.samples";
    private static final int DEPTH = 8;

    private CSample() {}

    /**
     * Fails a test run that could run nothing.
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

    /** Starts one with the emulator's libraries of a side; a test that needs one that was not built is skipped, and says so. */
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
        // They log to one stream or the other one.
        return RunningProgram.start(builder.redirectErrorStream(true));
    }

    /** Any program if the name is empty. */
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
