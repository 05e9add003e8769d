/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import io.docajava.samples.cli.SampleRunner;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Runs samples and prints the descriptors of all method handles that the JDK's linker created for them, in the format of GraalVM.
 */
final class LinkedHandles {

    /** The prefix of the descriptor of each downcall. */
    static final String DOWNCALL = "downcall: ";

    /** The prefix of the descriptor of each upcall. */
    static final String UPCALL = "upcall: ";

    private static final Map<Class<?>, String> TYPES = Map.of(
            byte.class,
            "char",
            short.class,
            "short",
            int.class,
            "int",
            long.class,
            "long",
            MemorySegment.class,
            "void*");

    private LinkedHandles() {}

    /** Exits with the worst exit code of the samples. */
    public static void main(String[] samples) throws ReflectiveOperationException {
        int worst = 0;
        for (String sample : samples) {
            worst = Math.max(worst, new SampleRunner(Launcher.class).run(sample));
        }
        print(DOWNCALL, "DOWNCALL_CACHE");
        print(UPCALL, "UPCALL_CACHE");
        System.exit(worst);
    }

    private static void print(String mark, String cache) throws ReflectiveOperationException {
        Linker linker = Linker.nativeLinker();
        Class<?> type = linker.getClass();
        while (!type.getSimpleName().equals("AbstractLinker")) {
            type = type.getSuperclass();
        }
        Object requests = get(type.getDeclaredField(cache), linker);
        Map<?, ?> entries = (Map<?, ?>) get(requests.getClass().getDeclaredField("cache"), requests);
        for (Object request : entries.keySet()) {
            FunctionDescriptor descriptor = (FunctionDescriptor) call(request, "descriptor");
            System.out.println(mark
                    + entry(
                            descriptor.returnLayout().map(LinkedHandles::type).orElse("void"),
                            descriptor.argumentLayouts().stream()
                                    .map(LinkedHandles::type)
                                    .toList(),
                            options(call(request, "options"))));
        }
    }

    /** Returns a descriptor as a line of the metadata. */
    static String entry(String result, List<String> parameters, String options) {
        return "{\"returnType\": \"" + result + "\", \"parameterTypes\": ["
                + parameters.stream().map(type -> '"' + type + '"').collect(Collectors.joining(", ")) + "]" + options
                + "}";
    }

    private static String options(Object options) throws ReflectiveOperationException {
        if ((boolean) call(options, "isCritical")) {
            return ", \"options\": {\"critical\": {\"allowHeapAccess\": " + call(options, "allowsHeapAccess") + "}}";
        }
        return (boolean) call(options, "hasCapturedCallState") ? ", \"options\": {\"captureCallState\": true}" : "";
    }

    private static String type(MemoryLayout layout) {
        if (layout instanceof GroupLayout group) {
            return group.memberLayouts().stream()
                    .map(LinkedHandles::type)
                    .collect(Collectors.joining(", ", "union(", ")"));
        }
        return layout instanceof ValueLayout value
                ? TYPES.getOrDefault(value.carrier(), layout.toString())
                : layout.toString();
    }

    private static Object get(Field field, Object of) throws ReflectiveOperationException {
        field.setAccessible(true);
        return field.get(of);
    }

    private static Object call(Object of, String method) throws ReflectiveOperationException {
        Method found = of.getClass().getDeclaredMethod(method);
        found.setAccessible(true);
        return found.invoke(of);
    }
}
