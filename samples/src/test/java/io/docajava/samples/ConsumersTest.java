/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.samples.SampleProcess.Result;
import io.docajava.testing.NeedsEmulator;
import io.docajava.testing.TestJvm;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the programs of the projects below {@code consumers} with the modules of this build. {@code -Prelease} builds the
 * same projects with Maven and the staged artifacts, among them the jar of Spring Boot.
 */
@NeedsEmulator
class ConsumersTest {

    private static final Path PROJECTS = Path.of("..", "consumers", "src", "it").toAbsolutePath();
    private static final String COPIED = "copied: some text";

    @TempDir
    private Path folder;

    @Test
    void runOnTheClassPath() throws Exception {
        Path program = compile("class-path", "-cp", modulePath());

        assertThat(run(
                        java(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        program + ":" + modulePath(),
                        "com.example.Copy"))
                .contains(COPIED);
    }

    @Test
    void runOnTheModulePath() throws Exception {
        Path program = compile("module-path", "-p", modulePath());

        assertThat(run(
                        java(),
                        "--enable-native-access=io.docajava.ffi",
                        "-p",
                        program + ":" + modulePath(),
                        "--add-modules=io.docajava.emulator",
                        "-m",
                        "com.example/com.example.Copy"))
                .contains(COPIED);
    }

    @Test
    void runInAnImageOfJlink() throws Exception {
        Path program = compile("jlink", "-p", modulePath());
        Path image = folder.resolve("image");
        // Runs in a separate process, as jlink refuses to run where tests patch a module.
        end(List.of(
                java().replaceFirst("java$", "jlink"),
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC",
                "--module-path",
                program + ":" + modulePath(),
                "--add-modules",
                "com.example,io.docajava.emulator",
                "--output",
                image.toString()));

        assertThat(run(
                        image.resolve("bin/java").toString(),
                        "--enable-native-access=io.docajava.ffi",
                        "-m",
                        "com.example/com.example.Copy"))
                .contains(COPIED);
    }

    @Test
    void runAsOneJarThatKeepsTheFirstFileOfEachName() throws Exception {
        Path program = compile("shaded", "-cp", modulePath());
        Path jar = merge(Stream.concat(
                        Stream.of(program),
                        Stream.of(modulePath().split(":", -1)).map(Path::of))
                .toList());

        assertThat(run(java(), "-jar", jar.toString())).contains(COPIED);
    }

    @Test
    void runWithTheEmulatorAlone() throws Exception {
        String jars = Stream.of(modulePath().split(":", -1))
                .filter(path -> path.contains("doca-ffi") || path.contains("doca-emulator"))
                .collect(joining(":"));
        Path program = compile("emulator-alone", "-cp", jars);

        assertThat(run(java(), "--enable-native-access=ALL-UNNAMED", "-cp", program + ":" + jars, "com.example.Load"))
                .filteredOn(line -> line.matches("(common|dma|rdma|comch): .*\\.so.*"))
                .hasSize(4);
    }

    /** Returns the modules and their libraries: jars, or folders of classes if the build stops before the package phase. */
    private static String modulePath() {
        String path = System.getProperty("samples.modulePath");
        return path.substring(path.indexOf(File.pathSeparatorChar) + 1);
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Compiles the program of a project, and returns the folder of its classes. */
    private Path compile(String project, String... options) throws IOException {
        Path classes = folder.resolve("classes");
        List<String> arguments = new ArrayList<>(List.of(options));
        arguments.addAll(List.of("-proc:none", "-d", classes.toString()));
        try (Stream<Path> files = Files.walk(PROJECTS.resolve(project).resolve("src/main/java"))) {
            files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(arguments::add);
        }
        StringWriter output = new StringWriter();
        PrintWriter writer = new PrintWriter(output);
        int exitCode =
                ToolProvider.findFirst("javac").orElseThrow().run(writer, writer, arguments.toArray(String[]::new));
        assertThat(exitCode).as("%s", output).isZero();
        return classes;
    }

    /** Merges all files into one jar, each from the first place that has it, as the shade plugin does without transformers. */
    private Path merge(List<Path> places) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "com.example.Copy");
        manifest.getMainAttributes().put(new Attributes.Name("Enable-Native-Access"), "ALL-UNNAMED");
        Path merged = folder.resolve("merged.jar");
        Set<String> names = new HashSet<>(Set.of(JarFile.MANIFEST_NAME, "module-info.class"));
        try (OutputStream file = Files.newOutputStream(merged);
                JarOutputStream jar = new JarOutputStream(file, manifest)) {
            jar.setLevel(1);
            for (Path place : places) {
                if (Files.isDirectory(place)) {
                    addFolder(place, jar, names);
                } else {
                    addJar(place, jar, names);
                }
            }
        }
        return merged;
    }

    private static void addFolder(Path place, JarOutputStream jar, Set<String> names) throws IOException {
        try (Stream<Path> files = Files.walk(place)) {
            for (Path path : files.filter(Files::isRegularFile).toList()) {
                String name = place.relativize(path).toString();
                if (names.add(name)) {
                    jar.putNextEntry(new JarEntry(name));
                    Files.copy(path, jar);
                }
            }
        }
    }

    private static void addJar(Path place, JarOutputStream jar, Set<String> names) throws IOException {
        try (JarFile source = new JarFile(place.toFile())) {
            for (JarEntry entry : (Iterable<JarEntry>) source.stream()::iterator) {
                if (!entry.isDirectory() && names.add(entry.getName())) {
                    jar.putNextEntry(new JarEntry(entry.getName()));
                    source.getInputStream(entry).transferTo(jar);
                }
            }
        }
    }

    /** Runs a JVM on the emulator and returns its output. */
    private static List<String> run(String java, String... arguments) throws IOException, InterruptedException {
        List<String> command = TestJvm.command(java);
        command.add("--illegal-native-access=deny");
        command.addAll(List.of(arguments));
        return end(command);
    }

    private static List<String> end(List<String> command) throws IOException, InterruptedException {
        try (RunningProgram program =
                RunningProgram.start(SampleProcess.prepare(command, Map.of("DOCA_BACKEND", "emulator")))) {
            Result result = program.end();
            assertThat(result.exitCode()).as("%s", result).isZero();
            return result.out();
        }
    }
}
