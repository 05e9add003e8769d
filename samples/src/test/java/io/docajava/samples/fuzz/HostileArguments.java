/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.fuzz;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Chooses arguments for calls: existing objects, small and extreme numbers, null, and callbacks that make calls. */
final class HostileArguments {

    private static final long[] NUMBERS = {
        0,
        1,
        2,
        3,
        4,
        7,
        8,
        16,
        64,
        100,
        128,
        1000,
        4096,
        5000,
        65_536,
        -1,
        -2,
        0xff,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        1L << 32,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        Long.MAX_VALUE - 4095
    };

    private static final List<String> TEXTS =
            List.of("", "a", "mlx5_0", "03:00.0", "0000:03:00.1", "\0", "ä€", "x".repeat(5000), "127.0.0.1", "::1");

    private static final List<Duration> TIMES = List.of(
            Duration.ZERO, Duration.ofNanos(1), Duration.ofMillis(1), Duration.ofMillis(5), Duration.ofSeconds(-1));

    private final Random random;
    private final HostileCalls.Objects objects;
    private final IntConsumer call;
    private volatile boolean quiet;

    /** The exception that callbacks throw. */
    static final class Thrown extends RuntimeException {

        private static final long serialVersionUID = 1;

        Thrown() {
            super("thrown by a callback");
        }
    }

    /**
     * Creates arguments.
     *
     * @param call makes any call in a callback, at the given nesting depth
     */
    HostileArguments(Random random, HostileCalls.Objects objects, IntConsumer call) {
        this.random = random;
        this.objects = objects;
        this.call = call;
    }

    /** Makes callbacks stop calling and throwing. */
    void silenceCallbacks() {
        quiet = true;
    }

    @Nullable
    Object[] of(Method method, int nesting) {
        Type[] types = method.getGenericParameterTypes();
        @Nullable Object[] values = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            Class<?> type = method.getParameterTypes()[i];
            boolean isNull = !type.isPrimitive() && random.nextInt(40) == 0;
            values[i] = isNull ? null : any(type, answer(types[i]), nesting);
        }
        return values;
    }

    /** Returns the result type of callbacks of a generic type whose declaration has a type variable: the last type argument. */
    private static Class<?> answer(Type type) {
        return switch (type) {
            case Class<?> plain -> plain;
            case ParameterizedType generic -> {
                Type[] of = generic.getActualTypeArguments();
                Type last = of[of.length - 1];
                Type bound = last instanceof WildcardType wildcard ? wildcard.getUpperBounds()[0] : last;
                yield bound instanceof ParameterizedType inner ? (Class<?>) inner.getRawType() : answer(bound);
            }
            default -> Object.class;
        };
    }

    private long number() {
        return random.nextInt(3) == 0 ? NUMBERS[random.nextInt(NUMBERS.length)] : random.nextInt(200);
    }

    private @Nullable Object any(Class<?> type, Class<?> answer, int nesting) {
        if (type == long.class || type == Long.class) {
            return number();
        } else if (type == int.class || type == Integer.class) {
            return (int) number();
        } else if (type == boolean.class || type == Boolean.class) {
            return random.nextBoolean();
        } else if (type == byte[].class) {
            byte[] bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            return bytes;
        } else if (type.isPrimitive()) {
            return Array.get(Array.newInstance(type, 1), 0);
        } else if (type.isArray()) {
            return Array.newInstance(type.getComponentType(), random.nextInt(3));
        } else if (type.isEnum()) {
            Object[] constants = type.getEnumConstants();
            return constants[random.nextInt(constants.length)];
        }
        Object known = Collection.class.isAssignableFrom(type) ? several(answer) : known(type);
        if (known != null) {
            return known;
        }
        Object kept = type == Object.class ? "data" : objects.any(type);
        boolean isCallback = type.isInterface() && !type.isSealed();
        if (kept != null && (!isCallback || random.nextInt(4) == 0)) {
            return kept;
        }
        return isCallback ? callback(type, answer, nesting) : null;
    }

    private @Nullable Object known(Class<?> type) {
        if (type == String.class) {
            return TEXTS.get(random.nextInt(TEXTS.size()));
        } else if (type == Duration.class) {
            return TIMES.get(random.nextInt(TIMES.size()));
        } else if (type == TimeUnit.class) {
            return TimeUnit.NANOSECONDS;
        } else if (type == Path.class) {
            return Path.of("no such folder", "file");
        } else if (type == MemorySegment.class) {
            return segment();
        } else if (type == ByteBuffer.class) {
            return random.nextBoolean() ? ByteBuffer.allocate(64) : ByteBuffer.allocateDirect(64);
        } else if (type == Arena.class) {
            return Arena.ofAuto();
        } else if (type == Optional.class) {
            return Optional.empty();
        } else if (type == InetAddress.class) {
            return InetAddress.getLoopbackAddress();
        } else if (type == Throwable.class || type == Exception.class || type == RuntimeException.class) {
            return new Thrown();
        }
        return null;
    }

    private MemorySegment segment() {
        if (random.nextInt(4) == 0) {
            Arena arena = Arena.ofConfined();
            MemorySegment closed = arena.allocate(64);
            arena.close();
            return closed;
        }
        return switch (random.nextInt(4)) {
            case 0 -> MemorySegment.NULL;
            case 1 -> MemorySegment.ofArray(new byte[64]);
            case 2 -> Arena.ofAuto().allocate(64).asReadOnly();
            default -> Arena.ofAuto().allocate(8 + random.nextInt(4096), 8);
        };
    }

    private List<Object> several(Class<?> element) {
        List<Object> elements = new ArrayList<>();
        int size = random.nextInt(4);
        for (int i = 0; i < size; i++) {
            Object one = objects.any(element);
            if (one != null) {
                elements.add(one);
            }
        }
        return elements;
    }

    @SuppressWarnings("ReferenceEquality") // a callback is equal to itself only
    private Object callback(Class<?> type, Class<?> answer, int nesting) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, values) -> {
            if (method.getDeclaringClass() == Object.class) {
                return switch (method.getName()) {
                    case "equals" -> proxy == values[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> "callback " + type.getSimpleName();
                };
            }
            for (Object value : values == null ? new Object[0] : values) {
                if (value != null) {
                    objects.add(value);
                }
            }
            if (!quiet) {
                for (int i = random.nextInt(3); i > 0; i--) {
                    call.accept(nesting + 1);
                }
                if (random.nextInt(10) == 0) {
                    throw new Thrown();
                }
            }
            return result(
                    method.getGenericReturnType() instanceof TypeVariable ? answer : method.getReturnType(), nesting);
        });
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it is returned
    private @Nullable Object result(Class<?> type, int nesting) {
        if (type == void.class) {
            return null;
        } else if (type == CompletionStage.class) {
            return CompletableFuture.completedFuture(1L);
        }
        boolean isOurs = type.getName().startsWith("io.docajava.") && !Modifier.isAbstract(type.getModifiers());
        return type == Object.class || isOurs || (random.nextInt(20) == 0 && !type.isPrimitive())
                ? objects.any(type)
                : any(type, Object.class, nesting);
    }
}
