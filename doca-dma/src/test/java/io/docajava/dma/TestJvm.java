/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.core.Doca;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Another JVM with the classes of the tests and of what they test, and with the same libraries. It starts quickly, as it
 * has nobody who logs.
 */
public final class TestJvm {

    private TestJvm() {}

    /**
     * The command that starts one.
     *
     * @param main whose main method it begins with
     * @param arguments of that
     */
    public static List<String> command(List<String> options, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-UseDynamicNumberOfCompilerThreads",
                "-Xmx128m",
                "--enable-native-access=ALL-UNNAMED",
                "--illegal-native-access=deny",
                "-Dslf4j.internal.verbosity=ERROR"));
        command.add("-Ddoca.backend=" + Doca.backend().name().toLowerCase(Locale.ROOT));
        command.addAll(options);
        command.addAll(List.of("-cp", classPath(), main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** What this JVM has on its module path and its class path, and the tests, which are a patch to the module. */
    private static String classPath() {
        return Stream.of(
                        Path.of(System.getProperty("basedir", "."), "target", "test-classes")
                                .toString(),
                        System.getProperty("jdk.module.path", ""),
                        System.getProperty("java.class.path", ""))
                .flatMap(paths -> Arrays.stream(paths.split(File.pathSeparator, -1)))
                .filter(path -> !path.contains("logback"))
                .collect(Collectors.joining(File.pathSeparator));
    }
}
