/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A C program of these tests, built with the SDK that the emulator's build lays out for one side and one release. */
final class CProgram {

    /** The release that the emulator imitates by default. */
    static final String NEWEST = "3.0";

    private final Path binary;
    private final String role;
    private final String release;

    private CProgram(Path binary, String role, String release) {
        this.binary = binary;
        this.role = role;
        this.release = release;
    }

    /** Builds a program for the host. */
    static CProgram forHost(String name, Path folder) throws IOException, InterruptedException {
        return new CProgram(compile(name, "sdk-host", folder), "host", NEWEST);
    }

    /** Builds a program for the DPU. */
    static CProgram forDpu(String name, Path folder) throws IOException, InterruptedException {
        return forDpu(name, folder, NEWEST);
    }

    /** Builds a program for the DPU with the headers and libraries of a release. */
    static CProgram forDpu(String name, Path folder, String release) throws IOException, InterruptedException {
        String sdk = release.equals(NEWEST) ? "sdk" : "sdk-" + release;
        return new CProgram(compile(name, sdk, folder), "dpu", release);
    }

    private static Path compile(String name, String sdk, Path folder) throws IOException, InterruptedException {
        Path source = Path.of(System.getProperty("samples.programs"), name + ".c");
        Path root = Path.of(System.getProperty("samples.sdk"), sdk).normalize();
        Path libraries = libraries(root);
        Path binary = folder.resolve(name + "-of-" + sdk);
        List<String> command = List.of(
                "gcc",
                "-std=c11",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-DDOCA_ALLOW_EXPERIMENTAL_API",
                "-I" + root.resolve("include"),
                "-o",
                binary.toString(),
                source.toString(),
                "-L" + libraries,
                "-Wl,-rpath," + libraries,
                "-ldoca_dma",
                "-ldoca_rdma",
                "-ldoca_common");
        Process compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
        String complaints = new String(compiler.getInputStream().readAllBytes(), UTF_8);
        if (compiler.waitFor() != 0) {
            throw new AssertionError(complaints);
        }
        return binary;
    }

    /** Returns the subfolder for this machine's architecture. */
    static Path libraries(Path sdk) {
        try (Stream<Path> folders = Files.list(sdk.resolve("lib"))) {
            return folders.findFirst().orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    RunningProgram start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(binary.toString());
        command.addAll(List.of(arguments));
        // Without this variable, the emulator refuses RDMA to programs that call no function newer than DOCA 2.8.
        Map<String, String> environment = Map.of("DOCA_EMULATOR_ROLE", role, "DOCA_EMULATOR_RELEASE", release);
        return RunningProgram.start(SampleProcess.prepare(command, environment));
    }
}
