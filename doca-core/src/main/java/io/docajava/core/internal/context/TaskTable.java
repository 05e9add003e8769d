/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.context;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of one kind that a context may have, made once. A slot is in the hands of one user between {@link #take()} and
 * {@link #put}; the latest one put is the next one taken, as it is the likeliest to be in the processor's cache.
 */
public final class TaskTable<S extends TaskSlot> {

    private final String kind;
    private final String setting;
    private final int firstIndex;
    private final List<S> slots;

    private final int[] free;
    private int freeCount;

    /** Makes the only table of a context, of {@code size} slots. */
    public TaskTable(int size, Factory<S> factory) {
        this("task", "maxTasks()", 0, size, factory);
    }

    /**
     * Makes one of several tables of a context.
     *
     * @param kind what it has, as messages name one of them: {@code "task to write"}
     * @param setting what asks for more of them
     * @param firstIndex the index of the first slot, behind those of the tables before
     */
    public TaskTable(String kind, String setting, int firstIndex, int size, Factory<S> factory) {
        this.kind = kind;
        this.setting = setting;
        this.firstIndex = firstIndex;
        slots = new ArrayList<>(size);
        free = new int[size];
        for (int i = 0; i < size; i++) {
            slots.add(factory.create(firstIndex + i, this));
            free[i] = size - 1 - i;
        }
        freeCount = size;
    }

    /** Makes the slots of a table. */
    @FunctionalInterface
    public interface Factory<S extends TaskSlot> {

        /** Makes the slot of an index, which will return to the table. */
        S create(int index, TaskTable<S> table);
    }

    /** How many slots there are. */
    public int size() {
        return slots.size();
    }

    /** Takes a slot, or null when all are taken. */
    public @Nullable S take() {
        return freeCount == 0 ? null : slots.get(free[--freeCount]);
    }

    /** How many slots are not taken. */
    public int available() {
        return freeCount;
    }

    /** Puts a slot back. */
    public void put(S slot) {
        free[freeCount++] = slot.index() - firstIndex;
    }

    List<S> slots() {
        return slots;
    }

    /** What it has, as messages name one of them. */
    String kind() {
        return kind;
    }

    /** What asks for more slots. */
    String setting() {
        return setting;
    }

    /** Whether a slot will be free by itself, when none is. */
    boolean isAnyInFlight() {
        for (S slot : slots) {
            if (slot.isInFlight()) {
                return true;
            }
        }
        return false;
    }
}
