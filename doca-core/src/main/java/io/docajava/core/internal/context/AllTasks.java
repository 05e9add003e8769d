/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.context;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The tasks of a context, of all kinds. */
final class AllTasks {

    /** For the way of each completion. */
    private final TaskSlot[] byIndex;

    /** The slots of tables whose indices follow one another. */
    AllTasks(List<? extends TaskTable<?>> tables) {
        byIndex = tables.stream().flatMap(table -> table.slots().stream()).toArray(TaskSlot[]::new);
        for (int i = 0; i < byIndex.length; i++) {
            if (byIndex[i].index() != i) {
                throw new IllegalArgumentException("Slot " + i + " has index " + byIndex[i].index());
            }
        }
    }

    int size() {
        return byIndex.length;
    }

    /** The slot of an index. */
    TaskSlot get(int index) {
        return byIndex[index];
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
        return Arrays.stream(byIndex)
                .filter(TaskSlot::isInFlight)
                .limit(limit)
                .map(TaskSlot::attemptInFlight)
                .toList();
    }

    /** Gives back all native tasks that are not in flight; they are allocated again when they are needed. */
    void freeIdleTasks() {
        for (TaskSlot slot : byIndex) {
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
        for (TaskSlot slot : byIndex) {
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
