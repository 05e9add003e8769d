/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.argument;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Unmodifiable copies of arrays and collections that a user passes, without nulls. The {@link NullPointerException} for a null names the
 * parameter, and the place of the null in the order of iteration: {@code sources[3] is null}.
 */
public final class Elements {

    private Elements() {}

    /**
     * Returns a copy of an array.
     *
     * @param name of the parameter
     */
    public static <E> List<E> copy(E[] elements, String name) {
        E[] copy = Objects.requireNonNull(elements, name).clone();
        checkEach(copy, name);
        return List.of(copy);
    }

    /**
     * Returns a copy of a collection. Another thread may change the collection meanwhile.
     *
     * @param name of the parameter
     */
    public static <E> List<E> copy(Collection<? extends E> elements, String name) {
        return List.copyOf(Arrays.asList(checked(elements, name)));
    }

    /**
     * Returns a copy of a set.
     *
     * @param name of the parameter
     */
    public static <E> Set<E> copyOfSet(Set<E> elements, String name) {
        return Set.copyOf(Arrays.asList(checked(elements, name)));
    }

    /**
     * Returns a copy of a map, in its order.
     *
     * @param name of the parameter
     */
    public static <K, V> Map<K, V> copyOfMap(Map<K, V> entries, String name) {
        Map<K, V> copy = new LinkedHashMap<>(Objects.requireNonNull(entries, name));
        copy.forEach((key, value) -> {
            Objects.requireNonNull(key, name + " has a null key");
            if (value == null) {
                throw new NullPointerException(name + "[" + key + "] is null");
            }
        });
        return Collections.unmodifiableMap(copy);
    }

    @SuppressWarnings("unchecked") // an array of elements
    private static <E> E[] checked(Collection<? extends E> elements, String name) {
        Object[] copy = Objects.requireNonNull(elements, name).toArray();
        checkEach(copy, name);
        return (E[]) copy;
    }

    private static void checkEach(Object[] elements, String name) {
        for (int i = 0; i < elements.length; i++) {
            if (elements[i] == null) {
                throw new NullPointerException(name + "[" + i + "] is null");
            }
        }
    }
}
