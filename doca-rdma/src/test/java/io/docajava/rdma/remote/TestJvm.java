/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.remote;

import io.docajava.core.Doca;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Another JVM with the classes of the tests and of what they test, that starts quickly: it has nobody who logs. */
public final class TestJvm {

    private TestJvm() {}

    /** How to start one that begins with a class. What it says to complain goes where that of this one goes. */
    public static ProcessBuilder of(Class<?> main) {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xshare:auto",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx128m",
                        "--enable-native-access=ALL-UNNAMED",
                        "--illegal-native-access=deny",
                        "-Ddoca.backend=" + Doca.backend().name().toLowerCase(Locale.ROOT),
                        "-Dslf4j.internal.verbosity=ERROR",
                        "-cp",
                        classPath(),
                        main.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
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
