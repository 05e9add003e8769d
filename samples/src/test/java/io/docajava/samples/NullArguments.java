/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import io.docajava.testing.IsolatedLoader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.lang.reflect.TypeVariable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Calls every public method and constructor of the exported packages of the given modules, with null for each parameter in
 * turn, with a null in each array and collection, and finally with null for all parameters as the first call in a class loader.
 * The methods of a sealed interface are called on one of its classes. Prints each call that does not throw a {@link
 * NullPointerException} whose message names the parameter or its element, and finally the number of calls.
 *
 * <p>The receivers and arguments are created without their constructors, so that they are empty: a call that checks its
 * arguments too late fails in another way and does not reach native code. It needs a separate JVM, in which no class is
 * initialised at the start.
 */
final class NullArguments {

    /** Types whose methods with parameters JUnit or the library calls, and users do not. */
    private static final List<String> CALLED_BY_OTHERS = List.of(
            "io.docajava.junit.DocaExtension",
            "io.docajava.comch.CommConnectionListener",
            "io.docajava.core.progress.IdleStrategy#forEngine");

    private static int calls;

    private NullArguments() {}

    public static void main(String[] modules) throws Exception {
        List<Class<?>> types = PublicApi.types(List.of(modules));
        for (Class<?> type : types) {
            check(type);
        }
        for (Class<?> type : types) {
            checkFirstCalls(type);
        }
        System.out.println("calls: " + calls);
    }

    private static void check(Class<?> type) throws Exception {
        for (Executable member : members(type)) {
            for (int i = 0; i < member.getParameterCount(); i++) {
                Parameter parameter = member.getParameters()[i];
                if (mustNotBeNull(parameter)) {
                    check(member, i, null, parameter.getName());
                    for (Map.Entry<String, Object> container :
                            withNulls(parameter).entrySet()) {
                        check(member, i, container.getValue(), container.getKey());
                    }
                }
            }
        }
    }

    private static List<Executable> members(Class<?> type) {
        List<Executable> members = new ArrayList<>();
        if (CALLED_BY_OTHERS.contains(type.getName())) {
            return members;
        }
        if (!Modifier.isAbstract(type.getModifiers())) {
            members.addAll(List.of(type.getConstructors()));
        }
        for (Method method : type.getDeclaredMethods()) {
            boolean isWritten =
                    !method.isSynthetic() && !(type.isEnum() && method.getName().equals("valueOf"));
            // Users implement the other abstract methods and the library calls them.
            if (Modifier.isPublic(method.getModifiers())
                    && (!Modifier.isAbstract(method.getModifiers()) || type.isSealed())
                    && isWritten
                    && !CALLED_BY_OTHERS.contains(type.getName() + "#" + method.getName())
                    && !method.getName().equals("equals")) {
                members.add(method);
            }
        }
        members.sort(Comparator.comparing(Executable::toString));
        return members;
    }

    /** Makes each call with null for all parameters, in a class loader in which no argument has initialized a class before. */
    private static void checkFirstCalls(Class<?> type) throws Exception {
        int count = members(type).size();
        for (int i = 0; i < count; i++) {
            try (IsolatedLoader loader = new IsolatedLoader()) {
                Executable member =
                        members(Class.forName(type.getName(), false, loader)).get(i);
                List<String> names = Stream.of(member.getParameters())
                        .filter(NullArguments::mustNotBeNull)
                        .map(Parameter::getName)
                        .toList();
                if (!names.isEmpty()) {
                    @Nullable Object[] arguments = new Object[member.getParameterCount()];
                    for (int j = 0; j < arguments.length; j++) {
                        Class<?> parameter = member.getParameterTypes()[j];
                        arguments[j] = parameter.isPrimitive() ? any(parameter) : null;
                    }
                    check(member, arguments, names);
                }
            }
        }
    }

    private static boolean mustNotBeNull(Parameter parameter) {
        return !parameter.getType().isPrimitive()
                && !(parameter.getParameterizedType() instanceof TypeVariable)
                && !parameter.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }

    /** Returns arguments that have a null inside, by the message that the call must throw. */
    private static Map<String, Object> withNulls(Parameter parameter) {
        Class<?> type = parameter.getType();
        String name = parameter.getName();
        if (type.isArray() && !type.getComponentType().isPrimitive()) {
            return Map.of(name + "[0] is null", Array.newInstance(type.getComponentType(), 1));
        }
        if (type == Map.class) {
            return Map.of(name + " has a null key", mapOf(null, "value"), name + "[key] is null", mapOf("key", null));
        }
        if (type == Set.class) {
            return Map.of(name + "[0] is null", new HashSet<>(Collections.singleton(null)));
        }
        return type.isAssignableFrom(List.class) && Iterable.class.isAssignableFrom(type)
                ? Map.of(name + "[0] is null", Collections.singletonList(null))
                : Map.of();
    }

    private static Map<Object, Object> mapOf(@Nullable Object key, @Nullable Object value) {
        return Collections.singletonMap(key, value);
    }

    private static void check(Executable member, int position, @Nullable Object argument, String message)
            throws Exception {
        @Nullable Object[] arguments = new Object[member.getParameterCount()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = i == position ? argument : any(member.getParameterTypes()[i]);
        }
        check(member, arguments, List.of(message));
    }

    private static void check(Executable member, @Nullable Object[] arguments, List<String> names) throws Exception {
        calls++;
        String outcome;
        try {
            call(member, arguments);
            outcome = "no exception";
        } catch (InvocationTargetException e) {
            Throwable thrown = e.getCause();
            outcome = String.valueOf(thrown);
            if (thrown instanceof NullPointerException && names.contains(String.valueOf(thrown.getMessage()))) {
                return;
            }
        }
        System.out.println(describe(member) + " with null for " + String.join(", ", names) + ": " + outcome);
    }

    private static String describe(Executable member) {
        List<String> parameters =
                Stream.of(member.getParameterTypes()).map(Class::getSimpleName).toList();
        String owner = member.getDeclaringClass().getName();
        return (member instanceof Constructor ? owner : owner + "." + member.getName()) + parameters;
    }

    private static void call(Executable member, @Nullable Object[] arguments) throws Exception {
        if (member instanceof Constructor<?> constructor) {
            constructor.newInstance(arguments);
            return;
        }
        Method method = (Method) member;
        boolean isStatic = Modifier.isStatic(method.getModifiers());
        method.invoke(isStatic ? null : any(method.getDeclaringClass()), arguments);
    }

    private static Object proxy(Class<?> type, InvocationHandler handler) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler);
    }

    /** Returns any value of a type. */
    private static Object any(Class<?> type) throws Exception {
        if (type.isPrimitive() || type.isArray()) {
            Class<?> element = type.isArray() ? type.getComponentType() : type;
            Object array = Array.newInstance(element, 1);
            if (type.isArray() && !element.isPrimitive()) {
                Array.set(array, 0, any(element));
            }
            return type.isArray() ? array : Array.get(array, 0);
        }
        if (type.isEnum()) {
            return type.getEnumConstants()[0];
        }
        Optional<Object> known = Stream.<Object>of(
                        "text",
                        NullArguments.class,
                        Duration.ofMillis(1),
                        Path.of("no", "file"),
                        List.of(),
                        Set.of(),
                        Map.of(),
                        Optional.empty(),
                        OptionalInt.empty(),
                        OptionalLong.empty(),
                        MemorySegment.NULL,
                        Arena.global(),
                        new Throwable(),
                        java.nio.ByteBuffer.allocate(1),
                        java.util.BitSet.valueOf(new long[1]),
                        java.time.Instant.EPOCH,
                        java.net.InetAddress.getLoopbackAddress(),
                        new java.net.InetSocketAddress(1))
                .filter(type::isInstance)
                .findFirst();
        if (known.isPresent()) {
            return known.get();
        }
        if (type.isInterface() && !type.isSealed()) {
            return proxy(type, NullArguments::answer);
        }
        if (type.isSealed() && Modifier.isAbstract(type.getModifiers())) {
            return any(type.getPermittedSubclasses()[0]);
        }
        return withoutConstructor(type);
    }

    /** Runs the default methods of an interface. All other methods return null, 0 or false. */
    private static @Nullable Object answer(Object proxy, Method method, @Nullable Object[] arguments) throws Throwable {
        if (method.isDefault()) {
            return InvocationHandler.invokeDefault(proxy, method, arguments);
        }
        Class<?> type = method.getReturnType();
        return type.isPrimitive() && type != void.class ? any(type) : null;
    }

    private static Object withoutConstructor(Class<?> type) throws Exception {
        Class<?> unsafe = Class.forName("sun.misc.Unsafe");
        var field = unsafe.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        return unsafe.getMethod("allocateInstance", Class.class).invoke(field.get(null), type);
    }
}
