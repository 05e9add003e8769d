/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.junit;

import io.docajava.core.internal.lifecycle.Resource;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The report of the resources that a test has left open. */
final class OpenResources {

    /** The folders and jars of test classes. Their classes do not belong to doca-java, whatever their package. */
    private static final Set<Path> TESTS = ConcurrentHashMap.newKeySet();

    private OpenResources() {}

    /** Adds the folder or jar of a test class. */
    static void addTest(Class<?> test) {
        TESTS.add(ClassRoots.of(test));
    }

    /** Returns the error of a test that leaves resources open, with the stack traces of their openings as suppressed exceptions. */
    static AssertionError leaked(Collection<Resource> resources, String owner) {
        List<String> lines =
                resources.stream().map(OpenResources::describe).sorted().toList();
        AssertionError error = new AssertionError(lines.stream()
                .map(line -> System.lineSeparator() + "  " + line)
                .collect(Collectors.joining(
                        "",
                        (lines.size() == 1 ? "1 resource is" : lines.size() + " resources are") + " still open after "
                                + owner + ":",
                        "")));
        resources.stream().map(Resource::opened).filter(Objects::nonNull).forEach(error::addSuppressed);
        return error;
    }

    /** Returns the description of a resource and the line that has opened it. */
    static String describe(Resource resource) {
        @Nullable Throwable opened = resource.opened();
        return resource.description()
                + (opened == null
                        ? ", opened before the first test with DocaExtension"
                        : place(opened)
                                .map(frame -> ", opened at " + frame)
                                .orElse(", opened as a parameter of a test"));
    }

    /** Returns the first caller outside of doca-java, JUnit and the JDK. */
    private static Optional<StackTraceElement> place(Throwable opened) {
        for (Throwable stack = opened; stack != null; stack = stack.getCause()) {
            Optional<StackTraceElement> caller = Arrays.stream(stack.getStackTrace())
                    .filter(frame -> !isOfLibrary(frame.getClassName()))
                    .findFirst();
            if (caller.isPresent()) {
                return caller;
            }
        }
        return Optional.empty();
    }

    private static boolean isOfLibrary(String className) {
        if (className.startsWith("java.") || className.startsWith("jdk.") || className.startsWith("org.junit.")) {
            return true;
        }
        if (!className.startsWith("io.docajava.")) {
            return false;
        }
        try {
            return !TESTS.contains(ClassRoots.of(
                    Class.forName(className, false, Thread.currentThread().getContextClassLoader())));
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
