/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.memory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The buffer lists that the tasks of one run of a graph use. Tasks that depend on one another may use the same list, one after
 * the other. Tasks that do not depend on one another, and tasks outside of the run, must not use a list in conflicting ways.
 *
 * <p>Tasks are recorded in an order in which they may run. Meanwhile each write extends its list, so that each task is checked
 * with the lists that it will find when it runs. {@link #noted()} reverts these changes, until the tasks have run.
 */
public final class BufferUses {

    private final Order order;
    private final Map<BufElement, List<Use>> byList = new HashMap<>();
    private final List<Growth> growths = new ArrayList<>();
    /** The lists that only one task of the run may use. */
    private final Set<BufElement> exclusive = new HashSet<>();

    private int task;

    /** The known order of the tasks of a run. */
    public interface Order {

        /** Returns whether a task always ends before a later recorded task begins. */
        boolean isBefore(int earlier, int later);

        /** Names a task in messages: {@code node 1 "copy"}. */
        String describe(int task);
    }

    private record Use(int task, boolean writes) {}

    /** The data length of an element before a write extended it. */
    private record Growth(BufElement element, long length) {}

    /** Creates the uses of a run, without tasks. */
    public BufferUses(Order order) {
        this.order = order;
    }

    /** Begins to record the uses of a task. */
    public void begin(int newTask) {
        task = newTask;
    }

    /**
     * Records that the task reads the data of a list.
     *
     * @throws IllegalArgumentException if another task of the run, which this task does not depend on, writes to it
     * @throws IllegalStateException if a task outside of the run writes to it
     */
    public void read(BufElement list) {
        checkShared(list);
        List<Use> others = byList.getOrDefault(list, List.of());
        Use conflict = conflict(others, false);
        if (conflict != null) {
            throw new IllegalArgumentException(order.describe(task) + " reads a buffer that "
                    + order.describe(conflict.task) + " writes to, and does not depend on it");
        }
        if (others.isEmpty() && list.isTarget()) {
            throw new IllegalStateException(
                    "The source of " + order.describe(task) + " is the target of another task in flight");
        }
        list.acquire();
        note(list, false);
    }

    /**
     * Records that the task writes behind the data of a list.
     *
     * @throws IllegalArgumentException if another task of the run, which this task does not depend on, uses it
     * @throws IllegalStateException if a task outside of the run uses it
     */
    public void write(BufElement list, long bytes) {
        checkShared(list);
        List<Use> others = byList.getOrDefault(list, List.of());
        Use conflict = conflict(others, true);
        if (conflict != null) {
            throw new IllegalArgumentException(order.describe(task) + " writes to a buffer that "
                    + order.describe(conflict.task) + " uses, and does not depend on it");
        }
        if (list.tasks() > others.size()) {
            throw new IllegalStateException(
                    "The target of " + order.describe(task) + " is used by another task in flight");
        }
        list.acquireAsTarget();
        note(list, true);
        for (BufElement element = list; element != null; element = element.next()) {
            growths.add(new Growth(element, element.dataLength()));
        }
        list.grow(bytes);
    }

    /**
     * Records that the task uses a list that the SDK treats differently after the task, so that no other task can use it.
     *
     * @throws IllegalArgumentException if another task of the run uses it
     * @throws IllegalStateException if a task outside of the run writes to it
     */
    public void useExclusively(BufElement list) {
        if (byList.containsKey(list)) {
            throw shared(list);
        }
        if (list.isTarget()) {
            throw new IllegalStateException(
                    "The target of " + order.describe(task) + " is used by another task in flight");
        }
        list.acquireAsTarget();
        note(list, true);
        exclusive.add(list);
    }

    private void checkShared(BufElement list) {
        if (exclusive.contains(list)) {
            throw shared(list);
        }
    }

    private IllegalArgumentException shared(BufElement list) {
        Use other = byList.getOrDefault(list, List.of()).getFirst();
        return new IllegalArgumentException(order.describe(task) + " uses a buffer of a peer's memory that "
                + order.describe(other.task) + " uses, and one of them writes: take a buffer for each");
    }

    private @Nullable Use conflict(List<Use> others, boolean writes) {
        for (Use other : others) {
            if (other.task != task && (writes || other.writes) && !order.isBefore(other.task, task)) {
                return other;
            }
        }
        return null;
    }

    private void note(BufElement list, boolean writes) {
        byList.computeIfAbsent(list, first -> new ArrayList<>()).add(new Use(task, writes));
    }

    /** Restores the buffers after all tasks were recorded. */
    public void noted() {
        for (Growth growth : growths.reversed()) {
            growth.element.shrink(growth.length);
        }
        growths.clear();
    }

    /** Ends the run. The destinations of tasks that may have failed will be set in the SDK again. */
    public void release(boolean succeeded) {
        noted();
        for (Map.Entry<BufElement, List<Use>> uses : byList.entrySet()) {
            for (Use use : uses.getValue()) {
                release(uses.getKey(), use, succeeded);
            }
        }
        byList.clear();
        exclusive.clear();
    }

    private static void release(BufElement list, Use use, boolean succeeded) {
        if (!use.writes) {
            list.release();
            return;
        }
        list.releaseAsTarget();
        if (!succeeded) {
            list.markListStale();
        }
    }
}
