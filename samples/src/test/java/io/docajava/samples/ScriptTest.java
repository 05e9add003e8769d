/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.samples.SampleProcess.Result;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code scripts/sample} in a project that has been built. */
class ScriptTest {

    /** Logs the source of every class to a file. */
    private static final String CLASS_LOG = "-Xlog:class+load:file=";

    private static final String BUILDS =
            "sample: building doca-java, which takes about one to three minutes, once and after changes ...";

    private static final String MAKES_CACHE = "sample: making a cache, so that samples start sooner ...";

    @TempDir
    private Path root;

    private Path target;

    @BeforeEach
    void layOutProject() throws IOException {
        target = root.resolve("samples/target");
        Files.createDirectories(target.resolve("lib"));
        Files.createFile(root.resolve("pom.xml"));
        for (String module : new String[] {
            "doca-ffi", "doca-compat", "doca-emulator", "doca-core", "doca-dma", "doca-rdma", "doca-comch"
        }) {
            Files.createDirectory(root.resolve(module));
        }
        for (String script : new String[] {"sample", "build-lock"}) {
            writeScript("scripts/" + script, Files.readString(Path.of("..", "scripts", script)));
        }
        Files.createFile(target.resolve("doca-samples-test.jar"));
        Files.createFile(target.resolve("sample.built"));
        writeScript("scripts/find-jdk", "#!/bin/sh\necho '" + root + "'\n");
        Files.writeString(root.resolve("release"), "JAVA_VERSION=\"25.0.1\"");
    }

    private void writeScript(String path, String text) throws IOException {
        Path script = root.resolve(path);
        Files.createDirectories(script.getParent());
        Files.writeString(script, text);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Result run(Map<String, String> environment, String command) throws IOException, InterruptedException {
        return start(environment, "exec " + command).end();
    }

    private RunningProgram start(Map<String, String> environment, String commands) throws IOException {
        return RunningProgram.start(SampleProcess.prepare(List.of("sh", "-c", commands), environment)
                .directory(root.toFile()));
    }

    private String inputOfJava(String input) throws IOException, InterruptedException {
        return String.join("\n", run(Map.of(), "scripts/sample any " + input).out());
    }

    @Test
    void javaHasAnInputEvenIfTheScriptHasNone() throws Exception {
        writeScript("bin/java", "#!/bin/sh\nreadlink /proc/$$/fd/0\n");

        assertThat(inputOfJava("<&-")).isEqualTo("/dev/null");
        assertThat(inputOfJava("<pom.xml"))
                .isEqualTo(root.resolve("pom.xml").toRealPath().toString());
    }

    @Test
    void startsFromACacheAndWithoutADamagedOne() throws Exception {
        writeScript("scripts/find-jdk", "#!/bin/sh\necho '" + System.getProperty("java.home") + "'\n");
        collectJars();

        assertThat(copyAndCountCachedClasses(MAKES_CACHE)).isGreaterThan(100);
        Path cache = cache();
        damage(cache);
        assertThat(copyAndCountCachedClasses()).isZero();
        Files.writeString(cache, "no cache at all");
        assertThat(copyAndCountCachedClasses()).isZero();
    }

    @Test
    void makesOneCacheForJarsAndJdk() throws Exception {
        writeJava();

        assertThat(flagsOfJava(MAKES_CACHE))
                .containsExactly("-XX:AOTCacheOutput=" + cache() + ".new", "-XX:AOTCache=" + cache());
        assertThat(flagsOfJava()).containsExactly("-XX:AOTCache=" + cache());

        Files.setLastModifiedTime(
                target.resolve("doca-samples-test.jar"),
                FileTime.fromMillis(Files.getLastModifiedTime(cache()).toMillis() + 1));
        assertThat(flagsOfJava(MAKES_CACHE)).hasSize(2);

        Path former = cache();
        Files.writeString(root.resolve("release"), "JAVA_VERSION=\"25.0.2\"");
        assertThat(flagsOfJava(MAKES_CACHE)).hasSize(2);
        assertThat(cache()).isNotEqualTo(former);
        assertThat(former).doesNotExist();
    }

    @Test
    void startsWithoutACacheWhereNoneCanBeMade() throws Exception {
        writeScript("bin/java", """
                #!/bin/sh
                echo "$1" >>'%s'
                case $1 in -XX:AOTCacheOutput=*) echo 'not here' >&2; exit 1 ;; esac
                """.formatted(root.resolve("flags")));

        assertThat(flagsOfJava(MAKES_CACHE)).hasSize(2).last().isEqualTo("-Xshare:auto");
        assertThat(flagsOfJava()).containsExactly("-Xshare:auto");
    }

    @Test
    void saysWhatItBuildsOnceAndAfterChanges() throws Exception {
        writeJava();
        writeMaven("""
                echo '[INFO] Building doca-java: core 1.0 [3/8]'
                mkdir samples/target/lib
                touch samples/target/doca-samples-test.jar
                """);
        Files.delete(target.resolve("sample.built"));

        String[] messages = {BUILDS, "sample: building core, module 3 of 8", MAKES_CACHE};
        assertThat(runWithMaven().err()).containsExactly(messages);
        assertThat(runWithMaven().err()).isEmpty();
        Files.createFile(root.resolve("doca-core/New.java"));
        Path built = target.resolve("sample.built");
        Files.setLastModifiedTime(
                built, FileTime.fromMillis(Files.getLastModifiedTime(built).toMillis() - 1000));
        assertThat(runWithMaven().err()).containsExactly(messages);
    }

    @Test
    void aFailedBuildIsRepeated() throws Exception {
        writeJava();
        writeMaven("""
                echo '[INFO] noise'
                echo '[ERROR] broken'
                exit 1
                """);
        Files.delete(target.resolve("sample.built"));

        for (int run = 0; run < 2; run++) {
            Result result = runWithMaven();
            assertThat(result.err()).containsExactly(BUILDS, "[ERROR] broken", "sample: the build failed, see above.");
            assertThat(result.exitCode()).isOne();
        }
    }

    @Test
    void waitsForAnotherBuildInItsFolder() throws Exception {
        writeJava();
        writeMaven("touch samples/target/doca-samples-test.jar");
        Files.delete(target.resolve("sample.built"));

        try (RunningProgram build = start(Map.of(), "scripts/build-lock; echo locked; read end")) {
            build.awaitOut("locked");
            try (RunningProgram sample = start(pathOfMaven(), "exec scripts/sample any 2>&1")) {
                sample.awaitOut("waiting until it ends");
                assertThat(target.resolve("sample.log")).doesNotExist();
                build.type("\n");
                long other = build.end().pid();

                assertThat(sample.end().out())
                        .containsExactly(
                                "build-lock: process " + other
                                        + " (sh) builds in this folder; waiting until it ends ...",
                                BUILDS,
                                MAKES_CACHE);
            }
        }
    }

    /** Writes a Java that makes a cache, and logs its first flag. */
    private void writeJava() throws IOException {
        writeScript("bin/java", """
                #!/bin/sh
                echo "$1" >>'%s'
                case $1 in -XX:AOTCacheOutput=*) echo cached >"${1#*=}" ;; esac
                """.formatted(root.resolve("flags")));
    }

    private void writeMaven(String text) throws IOException {
        writeScript("bin/mvn", "#!/bin/sh\ncd '" + root + "'\nsh scripts/build-lock\n" + text);
        writeScript("scripts/check-prerequisites", "#!/bin/sh\n");
    }

    private Result runWithMaven() throws IOException, InterruptedException {
        return run(pathOfMaven(), "scripts/sample any");
    }

    private Map<String, String> pathOfMaven() {
        return Map.of("PATH", root.resolve("bin") + ":" + System.getenv("PATH"));
    }

    /**
     * Runs a sample and returns the first flag of each Java process that the script starts.
     *
     * @param messages the expected output of the script
     */
    private List<String> flagsOfJava(String... messages) throws Exception {
        Path flags = root.resolve("flags");
        Result result = run(Map.of(), "scripts/sample any");
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).containsExactly(messages);
        assertThat(result.exitCode()).isZero();
        List<String> lines = Files.readAllLines(flags);
        Files.delete(flags);
        return lines;
    }

    private Path cache() throws IOException {
        try (Stream<Path> files = Files.list(target)) {
            return files.filter(file -> file.toString().endsWith(".aot"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static void damage(Path cache) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(cache.toFile(), "rw")) {
            file.seek(file.length() / 2);
            file.write(new byte[4096]);
        }
    }

    /**
     * Runs dma_local_copy, checks its output, and counts the classes of this project that were loaded from a cache.
     *
     * @param messages the expected output of the script before that of the sample
     */
    private long copyAndCountCachedClasses(String... messages) throws Exception {
        Path classes = root.resolve("classes.log");
        // The second Java process runs the sample. The process that creates the cache clears this variable.
        Result result = run(
                Map.of("DOCA_BACKEND", "emulator", "JDK_JAVA_OPTIONS", CLASS_LOG + classes),
                "scripts/sample dma_local_copy -t 'a text'");

        assertThat(result.outLog()).containsExactlyElementsOf(DmaLocalCopyTest.linesOfACopyOf("a text"));
        List<String> expected = new ArrayList<>(List.of(messages));
        expected.add("NOTE: Picked up JDK_JAVA_OPTIONS: " + CLASS_LOG + classes);
        assertThat(result.err()).containsExactlyElementsOf(expected);
        assertThat(result.exitCode()).isZero();
        try (Stream<String> lines = Files.lines(classes)) {
            return lines.filter(line -> line.contains(" io.docajava.") && line.contains("shared objects file"))
                    .count();
        }
    }

    /** Collects the jars of the samples, as the build lays them out. Some are folders if the build stops before the package phase. */
    private void collectJars() throws IOException {
        Path lib = target.resolve("lib");
        List<String> places = List.of(System.getProperty("samples.modulePath").split(":", -1));
        Files.copy(
                Path.of(places.getFirst()),
                target.resolve("doca-samples-test.jar"),
                StandardCopyOption.REPLACE_EXISTING);
        for (String place : places.subList(1, places.size())) {
            Path path = Path.of(place);
            if (Files.isDirectory(path)) {
                pack(path, Files.createTempFile(lib, "module", ".jar"));
            } else {
                Files.copy(path, lib.resolve(path.getFileName()));
            }
        }
    }

    private static void pack(Path classes, Path jar) throws IOException {
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out);
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                entries.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                Files.copy(file, entries);
            }
        }
    }
}
