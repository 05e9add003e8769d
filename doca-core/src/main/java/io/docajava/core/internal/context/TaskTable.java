/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.context;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All tasks that a context may have, made once. A slot is in the hands of one user between {@link #take()} and
 * {@link #put}; the latest one put is the next one taken, as it is the likeliest to be in the processor's cache.
 */
public final class TaskTable<S extends TaskSlot> {

    private final List<S> slots;
    /** The same, for the way of each completion. */
    private final TaskSlot[] byIndex;

    private final int[] free;
    private int freeCount;

    /** Makes a table of {@code size} slots. */
    public TaskTable(int size, Factory<S> factory) {
        slots = new ArrayList<>(size);
        free = new int[size];
        for (int i = 0; i < size; i++) {
            slots.add(factory.create(i, this));
            free[i] = size - 1 - i;
        }
        freeCount = size;
        byIndex = slots.toArray(TaskSlot[]::new);
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
        free[freeCount++] = slot.index();
    }

    /** The slot of an index. */
    S get(int index) {
        return slots.get(index);
    }

    /** The slot in flight that a completion belongs to, or null when there is none such. */
    @Nullable
    TaskSlot inFlight(long userData) {
        int index = (int) userData;
        if (index < 0 || index >= byIndex.length) {
            return null;
        }
        TaskSlot slot = byIndex[index];
        return slot.isAddressedBy(userData) ? slot : null;
    }

    /** What the tasks in flight do, in words, of no more than a number of them. */
    List<String> attemptsInFlight(int limit) {
        return slots.stream()
                .filter(TaskSlot::isInFlight)
                .limit(limit)
                .map(TaskSlot::attempt)
                .toList();
    }

    /** Gives back all native tasks that are not in flight; they are allocated again when they are needed. */
    void freeIdleTasks() {
        for (S slot : slots) {
            if (!slot.isInFlight()) {
                slot.freeTask();
            }
        }
    }

    /**
     * Tells all who wait for a task in flight that nobody will learn its end.
     *
     * @param errors learns what those who are told throw
     */
    void abandon(RuntimeException reason, Consumer<Throwable> errors) {
        for (S slot : slots) {
            if (slot.isInFlight()) {
                try {
                    slot.abandoned(reason);
                } catch (Throwable failure) {
                    errors.accept(failure);
                }
            }
        }
    }
}
