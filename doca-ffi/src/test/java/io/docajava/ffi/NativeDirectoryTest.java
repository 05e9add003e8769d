/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.docajava.ffi.testing.ChildJvm;
import io.docajava.ffi.testing.Command;
import io.docajava.ffi.testing.NativeDirectoryProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests where native parts are unpacked, and which directories are refused. */
@Execution(ExecutionMode.CONCURRENT)
class NativeDirectoryTest {

    /** Mounts a file system over the folder $0 in a separate namespace, which the user must be allowed to do. */
    private static final String MOUNT = "mount -t tmpfs -o \"$1\" doca-java-test \"$0\" && shift && exec \"$@\"";

    private static final int NOBODY = 65534;

    @TempDir
    private Path work;

    private Path place;
    private Path home;
    private Path temporary;

    @BeforeEach
    void create() throws IOException {
        place = Files.createDirectory(work.resolve("place"));
        home = Files.createDirectory(work.resolve("home"));
        temporary = Files.createDirectory(work.resolve("tmp"));
    }

    private ChildJvm child() {
        return new ChildJvm()
                .variable("XDG_CACHE_HOME", "")
                .property("user.home", home)
                .property("java.io.tmpdir", temporary);
    }

    private ChildJvm named() {
        return child().property("doca.native.directory", place);
    }

    private static String run(ChildJvm child) {
        return child.run(NativeDirectoryProbe.class);
    }

    /** Configures a JVM that sees another file system at a folder. */
    private static ChildJvm mounted(ChildJvm child, Path folder, String options) {
        List<String> probe = List.of("unshare", "--mount", "sh", "-c", MOUNT, folder.toString(), options, "true");
        assumeThat(canRun(probe)).as("This user may mount file systems").isTrue();
        return child.startedBy("unshare", "--mount", "sh", "-c", MOUNT, folder.toString(), options);
    }

    private static boolean canRun(List<String> command) {
        try {
            return Command.run(command, Map.of()).exitCode() == 0;
        } catch (RuntimeException e) {
            return false;
        }
    }

    private String refused(String reason) {
        return """
                The native files of doca-java cannot be unpacked anywhere:
                  %s: %s
                Make one of these folders usable, or name another one with -Ddoca.native.directory.
                """.formatted(place, reason);
    }

    @Test
    void isTheNamedOne() {
        assertThat(run(named())).isEqualTo("in " + place + "\nloaded: true\n");
        assertThat(home).isEmptyDirectory();
    }

    @Test
    void isCreatedWhereItIsMissing() {
        Path missing = place.resolve("a/b");
        assertThat(run(child().property("doca.native.directory", missing)))
                .isEqualTo("in " + missing + "\nloaded: true\n");
    }

    @Test
    void isInTheCacheOfTheUserByDefault() {
        assertThat(run(child())).isEqualTo("in " + home + "/.cache/doca-java\nloaded: true\n");
        assertThat(run(child().variable("XDG_CACHE_HOME", place)))
                .isEqualTo("in " + place + "/doca-java\nloaded: true\n");
    }

    @Test
    void saysThatTheNamedOneIsFull() {
        assertThat(run(mounted(named(), place, "size=8k")))
                .startsWith(
                        refused("java.io.IOException: No space left on device").replace("java.io.IOException: ", ""))
                .endsWith("loaded: false\n");
    }

    @Test
    void saysThatTheNamedOneIsReadOnly() {
        assertThat(run(mounted(named(), place, "ro")))
                .startsWith("The native files of doca-java cannot be unpacked anywhere:\n  " + place
                        + ": java.nio.file.FileSystemException: " + place)
                .contains(": Read-only file system\n")
                .endsWith("loaded: false\n");
    }

    @Test
    void saysThatTheNamedOneForbidsToExecuteFiles() {
        assertThat(run(mounted(named(), place, "noexec")))
                .startsWith(refused("its file system does not allow executing files (noexec)"))
                .endsWith("loaded: false\n");
    }

    @Test
    void fallsBackToTheFolderForTemporaryFiles() throws IOException {
        Object user = Files.getAttribute(work, "unix:uid");
        String expected = "in " + temporary + "/doca-java-" + user + "\nloaded: true\n";

        assertThat(run(mounted(child(), home, "size=8k"))).isEqualTo(expected);
        assertThat(run(mounted(child(), home, "ro"))).isEqualTo(expected);
        assertThat(run(mounted(child(), home, "noexec"))).isEqualTo(expected);
    }

    @Test
    void anotherUserHasOneForItself() throws IOException {
        String user = Integer.toString(NOBODY);
        String[] command = {"setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups"};
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        assumeThat(canRun(List.of(command[0], command[1], command[2], command[3], java, "-version")))
                .as("A JVM starts as another user, who may be unable to run programs or to read /proc")
                .isTrue();
        for (Path folder : List.of(work, home)) {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxrwxrwx"));
        copyClasses("classes");
        copyClasses("test-classes");

        assertThat(run(child())).isEqualTo("in " + home + "/.cache/doca-java\nloaded: true\n");
        assertThat(run(child().classesIn(work).startedBy(command)))
                .isEqualTo("in " + temporary + "/doca-java-" + NOBODY + "\nloaded: true\n");
        assertThat(run(child().classesIn(work)
                        .startedBy(command)
                        .property("doca.native.directory", home.resolve(".cache/doca-java"))))
                .contains(home + "/.cache/doca-java: ")
                .endsWith("loaded: false\n");
    }

    private void copyClasses(String folder) {
        List<String> copy = List.of("cp", "-rL", Path.of("target", folder).toString(), work.toString());
        assertThat(Command.run(copy, Map.of()).exitCode()).isZero();
    }
}
