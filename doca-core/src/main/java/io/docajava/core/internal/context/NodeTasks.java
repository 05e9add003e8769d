/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.context;

import io.docajava.core.graph.GraphTask;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The way from the public tasks of doca-java's modules to what a graph does with them. */
public final class NodeTasks {

    private static final Map<Class<?>, Function<Object, PreparedOperation<?>>> ACCESS = new ConcurrentHashMap<>();

    private NodeTasks() {}

    /** Called by the static initialiser of each class of tasks. */
    public static <T extends GraphTask> void open(
            Class<T> type, Function<? super T, ? extends PreparedOperation<?>> access) {
        ACCESS.put(type, task -> access.apply(type.cast(task)));
    }

    /**
     * Returns the prepared operation of a task.
     *
     * @throws IllegalArgumentException if it is of a class that is not doca-java's
     */
    public static PreparedOperation<?> of(GraphTask task) {
        @Nullable Function<Object, PreparedOperation<?>> access = ACCESS.get(task.getClass());
        if (access == null) {
            throw new IllegalArgumentException("A node runs tasks of doca-java's contexts only, and not a "
                    + task.getClass().getName());
        }
        return access.apply(task);
    }
}
