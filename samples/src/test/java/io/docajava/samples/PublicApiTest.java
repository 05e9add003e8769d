/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.testing.FullTests;
import io.docajava.testing.TestJvm;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/**
 * Compares the public API with the recorded list, {@code docs/public-api.txt}. A usual build only logs differences; a build with
 * {@code -Ddoca.test.all=true}, such as that of a release, fails. {@code -Ddoca.docs.write=true} rewrites the list.
 */
class PublicApiTest {

    /** Begins the line of a public method that an internal class declares. */
    private static final String HIDDEN = "hidden in ";

    private static final Path LIST = Path.of("..", "docs", "public-api.txt");

    @Test
    @Timeout(600)
    void isAsRecorded() throws Exception {
        List<String> now = list();
        assertThat(now)
                .hasSizeGreaterThan(500)
                .contains("type io.docajava.dma.DmaContext: public abstract int io.docajava.dma.DmaContext.maxTasks()");
        if (Boolean.getBoolean("doca.docs.write")) {
            Files.write(LIST, now);
        }
        List<String> changes = changes(Files.readAllLines(LIST), now);
        if (FullTests.enabled()) {
            assertThat(changes)
                    .as("changes of the public API; if they are intended, record them by -Ddoca.docs.write=true")
                    .isEmpty();
        } else if (!changes.isEmpty()) {
            LoggerFactory.getLogger(PublicApiTest.class)
                    .warn(
                            "The public API has changed since docs/public-api.txt was written:\n{}",
                            String.join("\n", changes));
        }
    }

    /** Reflection by a user can call no method that only a class which is not exported declares. */
    @Test
    void everyPublicMethodIsDeclaredByAnExportedType() throws Exception {
        assertThat(list()).hasSizeGreaterThan(500).noneMatch(line -> line.startsWith(HIDDEN));
    }

    @Test
    void everyChangeIsReported() {
        assertThat(changes(List.of("a", "b", "c"), List.of("a", "c", "d"))).containsExactly("- b", "+ d");
    }

    private static List<String> changes(List<String> before, List<String> now) {
        return Stream.concat(
                        before.stream().filter(line -> !now.contains(line)).map(line -> "- " + line),
                        now.stream().filter(line -> !before.contains(line)).map(line -> "+ " + line))
                .toList();
    }

    /** Returns the list as {@link #main} prints it in a JVM that has all modules on its class path. */
    private static List<String> list() throws Exception {
        List<String> command = TestJvm.command();
        command.addAll(List.of(
                "-cp", TestJvm.classPath(System.getProperty("samples.testClasses")), PublicApiTest.class.getName()));
        command.addAll(NullArgumentsTest.MODULES);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output.lines().toList();
    }

    /** Prints the public API of modules, one line for each type and each public or protected member. */
    static void main(String[] modules) throws Exception {
        TreeSet<String> lines = new TreeSet<>();
        List<Class<?>> types = PublicApi.types(List.of(modules));
        for (Class<?> type : types) {
            String name = type.getName();
            lines.add("type " + name + ": " + kind(type) + parents(type) + deprecated(type));
            for (Method method : type.getMethods()) {
                Class<?> parent = method.getDeclaringClass();
                if (parent.equals(type)) {
                    add(lines, name, method, method.toGenericString(), deprecated(method));
                } else if (parent.getName().startsWith("io.docajava.") && !types.contains(parent)) {
                    lines.add(HIDDEN + name + ": " + method.toGenericString());
                }
            }
            for (Method method : type.getDeclaredMethods()) {
                if (Modifier.isProtected(method.getModifiers())) {
                    add(lines, name, method, method.toGenericString(), deprecated(method));
                }
            }
            for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                add(lines, name, constructor, constructor.toGenericString(), deprecated(constructor));
            }
            for (Field field : type.getDeclaredFields()) {
                add(lines, name, field, field.toGenericString(), deprecated(field));
            }
        }
        lines.forEach(System.out::println);
    }

    private static void add(Set<String> lines, String type, Member member, String signature, String deprecated) {
        boolean isVisible = Modifier.isPublic(member.getModifiers()) || Modifier.isProtected(member.getModifiers());
        if (isVisible && !member.isSynthetic()) {
            lines.add("type " + type + ": " + signature + deprecated);
        }
    }

    private static String kind(Class<?> type) {
        String kind = type.isRecord() ? "record" : type.isEnum() ? "enum" : type.isInterface() ? "interface" : "class";
        String sealed = type.isSealed() ? "sealed " : "";
        return Modifier.toString(type.getModifiers() & ~Modifier.INTERFACE) + " " + sealed + kind;
    }

    private static String parents(Class<?> type) {
        Type parent = type.getGenericSuperclass();
        String names = Stream.concat(
                        parent == null || parent.equals(Object.class) ? Stream.empty() : Stream.of(parent),
                        Arrays.stream(type.getGenericInterfaces()))
                .map(Type::getTypeName)
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? "" : " of " + names;
    }

    private static String deprecated(AnnotatedElement element) {
        return element.isAnnotationPresent(Deprecated.class) ? " (deprecated)" : "";
    }
}
