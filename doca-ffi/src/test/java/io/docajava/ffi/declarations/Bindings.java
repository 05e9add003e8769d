/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.declarations;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The declarations of one package of generated classes. */
public final class Bindings {

    /** The libraries that have bindings. */
    public static final List<String> LIBRARIES = List.of("common", "dma", "rdma", "comch");

    private static final String DESCRIPTOR = "$descriptor";

    private final String packageName;
    private final Class<?> header;

    /** Finds the classes of a library, by its short name. */
    public Bindings(String library) {
        packageName = "io.docajava.ffi.generated." + library;
        header = load("Doca" + library.substring(0, 1).toUpperCase(Locale.ROOT) + library.substring(1));
    }

    /** Returns the descriptors of all functions by C name. A variadic function has the descriptor of its fixed part. */
    public SortedMap<String, FunctionDescriptor> functions() {
        SortedMap<String, FunctionDescriptor> functions = new TreeMap<>();
        for (Method method : header.getMethods()) {
            if (method.getName().endsWith(DESCRIPTOR)) {
                String name = method.getName().substring(0, method.getName().length() - DESCRIPTOR.length());
                functions.put(name, (FunctionDescriptor) invoke(method, null));
            }
        }
        for (Class<?> variadic : header.getClasses()) {
            Object invoker =
                    invoke(method(variadic, "makeInvoker", MemoryLayout[].class), null, (Object) new MemoryLayout[0]);
            functions.put(
                    variadic.getSimpleName(), (FunctionDescriptor) invoke(method(variadic, "descriptor"), invoker));
        }
        return functions;
    }

    /** Returns the values of all constants by C name. */
    SortedMap<String, Object> constants() {
        SortedMap<String, Object> constants = new TreeMap<>();
        for (Method method : header.getMethods()) {
            if (method.getParameterCount() == 0 && method.getName().startsWith("DOCA_")) {
                constants.put(method.getName(), invoke(method, null));
            }
        }
        return constants;
    }

    /** Returns the descriptors of all callback types, by the name of a typedef or {@code function$parameter}. */
    SortedMap<String, FunctionDescriptor> callbacks() {
        SortedMap<String, FunctionDescriptor> callbacks = new TreeMap<>();
        classes()
                .filter(type -> has(type, "descriptor"))
                .forEach(type -> callbacks.put(
                        type.getSimpleName(), (FunctionDescriptor) invoke(method(type, "descriptor"), null)));
        return callbacks;
    }

    /** Returns the layouts of all structures and unions by C name. */
    SortedMap<String, MemoryLayout> layouts() {
        SortedMap<String, MemoryLayout> layouts = new TreeMap<>();
        classes()
                .filter(type -> has(type, "layout"))
                .forEach(type ->
                        layouts.put(type.getSimpleName(), (MemoryLayout) invoke(method(type, "layout"), null)));
        return layouts;
    }

    private Stream<Class<?>> classes() {
        Path folder = Path.of("target/classes", packageName.split("\\.", -1));
        try (Stream<Path> files = Files.list(folder)) {
            return files
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".class"))
                    .map(name -> name.substring(0, name.length() - ".class".length()))
                    .filter(name -> !name.endsWith("$Function"))
                    .sorted()
                    .<Class<?>>map(this::load)
                    .filter(type -> !type.isMemberClass())
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Class<?> load(String name) {
        try {
            return Class.forName(packageName + "." + name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean has(Class<?> type, String name) {
        return Stream.of(type.getMethods())
                .anyMatch(method -> method.getName().equals(name) && method.getParameterCount() == 0);
    }

    private static Method method(Class<?> type, String name, Class<?>... parameters) {
        try {
            return type.getMethod(name, parameters);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object invoke(Method method, @org.jspecify.annotations.Nullable Object target, Object... arguments) {
        try {
            return method.invoke(target, arguments);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(method + " failed", e);
        }
    }
}
