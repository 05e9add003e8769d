/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.testing;

import io.docajava.testing.TestJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Starts a separate JVM for things that happen once in a process. It has doca-ffi and these tests, but no DOCA by default. */
public final class ChildJvm {

    private static final Path CLASSES = Path.of("target/classes").toAbsolutePath();
    private static final Path TESTS = Path.of("target/test-classes").toAbsolutePath();

    private final List<String> options = new ArrayList<>();
    private final Map<String, String> environment = new HashMap<>();
    private final List<Path> classPath = new ArrayList<>(List.of(TESTS));
    private List<String> starter = List.of();
    private Path classes = CLASSES;
    private boolean modular;
    private boolean granted = true;

    /** Creates a JVM with native access and everything on its class path. */
    public ChildJvm() {
        // The JVM must find the libraries that the test has prepared, and not those of this machine.
        environment.put("DOCA_LIBRARY_PATH", "");
        environment.put("DOCA_BACKEND", "");
        environment.put("LD_LIBRARY_PATH", "");
    }

    /** Puts doca-ffi on the module path. */
    public ChildJvm modular() {
        modular = true;
        return this;
    }

    /** Denies native access. */
    public ChildJvm withoutNativeAccess() {
        granted = false;
        return this;
    }

    /** Sets a system property. */
    public ChildJvm property(String name, Object value) {
        options.add("-D" + name + "=" + value);
        return this;
    }

    /** Adds an option of the JVM. */
    public ChildJvm option(String option) {
        options.add(option);
        return this;
    }

    /** Sets an environment variable. */
    public ChildJvm variable(String name, Object value) {
        environment.put(name, value.toString());
        return this;
    }

    /** Adds a folder to the class path. */
    public ChildJvm classPath(Path folder) {
        classPath.add(folder);
        return this;
    }

    /** Starts the JVM by another command, which gets the command of the JVM as its last arguments. */
    public ChildJvm startedBy(String... command) {
        starter = List.of(command);
        return this;
    }

    /** Copies doca-ffi and the tests to a folder, which another user may read. */
    public ChildJvm classesIn(Path folder) {
        classes = folder.resolve("classes");
        classPath.set(0, folder.resolve("test-classes"));
        return this;
    }

    /** Runs the main method of a class and returns its output. The process must succeed. */
    public String run(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(starter);
        command.addAll(TestJvm.command());
        command.addAll(options);
        command.add("--illegal-native-access=deny");
        if (granted) {
            command.add("--enable-native-access=" + (modular ? "io.docajava.ffi" : "ALL-UNNAMED"));
        }
        if (modular) {
            command.addAll(List.of("--module-path", classes.toString(), "--add-modules", "io.docajava.ffi"));
        } else {
            classPath.add(classes);
        }
        command.addAll(List.of(
                "-cp", String.join(":", classPath.stream().map(Path::toString).toList())));
        command.add(main.getName());
        command.addAll(List.of(arguments));
        Command.Result result = Command.run(command, environment);
        if (result.exitCode() != 0) {
            throw new IllegalStateException(command + " ended with " + result.exitCode() + ":\n" + result.output());
        }
        return result.output();
    }
}
