/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.testing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A JVM of its own, for what happens once in a process. It has doca-ffi and these tests, and no DOCA by itself. */
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

    /** Creates one that has native access and everything on its class path. */
    public ChildJvm() {
        // The JVM is to find what the test has prepared, and not what this machine has.
        environment.put("DOCA_LIBRARY_PATH", "");
        environment.put("DOCA_BACKEND", "");
        environment.put("LD_LIBRARY_PATH", "");
        // It lives for a moment only.
        options.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    }

    /** With doca-ffi on the module path. */
    public ChildJvm modular() {
        modular = true;
        return this;
    }

    /** Without native access. */
    public ChildJvm withoutNativeAccess() {
        granted = false;
        return this;
    }

    /** With a system property. */
    public ChildJvm property(String name, Object value) {
        options.add("-D" + name + "=" + value);
        return this;
    }

    /** With an option of the JVM. */
    public ChildJvm option(String option) {
        options.add(option);
        return this;
    }

    /** With an environment variable. */
    public ChildJvm variable(String name, Object value) {
        environment.put(name, value.toString());
        return this;
    }

    /** With one more folder on the class path. */
    public ChildJvm classPath(Path folder) {
        classPath.add(folder);
        return this;
    }

    /** Started by another command, which gets that of the JVM as its last arguments. */
    public ChildJvm startedBy(String... command) {
        starter = List.of(command);
        return this;
    }

    /** With copies of doca-ffi and the tests in a folder, which another user may read. */
    public ChildJvm classesIn(Path folder) {
        classes = folder.resolve("classes");
        classPath.set(0, folder.resolve("test-classes"));
        return this;
    }

    /** Runs a class's main method and gives what it printed; it has to end well. */
    public String run(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(starter);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
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
