/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.testing;

import io.docajava.core.Doca;
import io.docajava.testing.TestJvm;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs a class of the tests in a separate JVM, as some settings are read only once in a process. */
public final class ChildJvm {

    /** The variables that select the libraries. */
    private static final Set<String> LIBRARIES = Set.of("DOCA_LIBRARY_PATH", "DOCA_EMULATOR_RELEASE");

    private final List<String> options = new ArrayList<>();
    private final ProcessBuilder process = new ProcessBuilder();
    private boolean logs;

    /** Uses the libraries of this process and default settings. The JVM starts quickly, as it has no logging provider. */
    public ChildJvm() {
        process.environment().keySet().removeIf(name -> name.startsWith("DOCA_") && !LIBRARIES.contains(name));
        options.add("-Ddoca.backend=" + Doca.backend().name().toLowerCase(Locale.ROOT));
    }

    /** Sets an environment variable. */
    public ChildJvm environment(String name, String value) {
        process.environment().put(name, value);
        return this;
    }

    /** Adds an option of the JVM. */
    public ChildJvm option(String option) {
        options.add(option);
        return this;
    }

    /** Enables logging, for classes that check it. */
    public ChildJvm logging() {
        logs = true;
        return this;
    }

    /** Runs the JVM to its end and returns its output. The process must succeed. */
    public List<String> run(Class<?> main, String... arguments) throws IOException, InterruptedException {
        return TestJvm.outputOf(start(main, arguments)).lines().toList();
    }

    /** Starts the JVM and returns its process, whose output contains both streams. */
    public Process start(Class<?> main, String... arguments) throws IOException {
        List<String> command = TestJvm.command();
        command.addAll(List.of("-Xshare:auto", "-Xmx128m"));
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "--illegal-native-access=deny"));
        command.add("-Dslf4j.internal.verbosity=ERROR");
        command.addAll(options);
        command.addAll(List.of("-cp", classPath(), main.getName()));
        command.addAll(List.of(arguments));
        return process.command(command).redirectErrorStream(true).start();
    }

    /** Returns the module path and the class path of this JVM, and the tests, which are a patch to the module. */
    private String classPath() {
        return Stream.of(
                        Path.of(property("basedir", "."), "target", "test-classes")
                                .toString(),
                        property("jdk.module.path", ""),
                        property("java.class.path", ""))
                .flatMap(paths -> Arrays.stream(paths.split(File.pathSeparator, -1)))
                .filter(path -> logs || !path.contains("logback"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String property(String name, String otherwise) {
        @Nullable String value = System.getProperty(name);
        return value == null ? otherwise : value;
    }
}
