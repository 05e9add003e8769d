/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.testing;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The commands of JVMs that tests start, which run briefly. */
public final class TestJvm {

    private TestJvm() {}

    /** Returns a command that runs the JVM of the tests, to which arguments can be added. */
    public static List<String> command() {
        return command(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    }

    /** Returns a command that runs another JVM, to which arguments can be added. */
    public static List<String> command(String java) {
        List<String> command = new ArrayList<>();
        command.add(java);
        // Set by the build.
        command.addAll(
                List.of(System.getProperty("doca.test.jvm", "-XX:+UseSerialGC").split(" ")));
        return command;
    }

    /** Returns the output of a process, whose errors go to its output. Waits for its end; it must succeed. */
    public static String outputOf(Process process) throws IOException, InterruptedException {
        // Unknown after the end.
        String command = process.info().commandLine().orElse("A process");
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int exitCode = process.waitFor();
        if (exitCode != 0) {
            throw new AssertionError(command + " ended with " + exitCode + ":\n" + output);
        }
        return output;
    }

    /** Returns a class path with all that is on the module path and the class path of this JVM, and with folders before it. */
    public static String classPath(String... folders) {
        return Stream.concat(
                        Stream.of(folders),
                        Stream.of("jdk.module.path", "java.class.path")
                                .map(System::getProperty)
                                .filter(Objects::nonNull))
                .collect(Collectors.joining(File.pathSeparator));
    }
}
