/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.operation;

import io.docajava.core.internal.engine.Activity;
import io.docajava.core.internal.state.ContextLife;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All operations of a context, by their indices, and those in flight.
 *
 * <p>The SDK lets a context become idle only when all its tasks are freed. So the native tasks that operations keep for reuse are
 * freed when the context leaves the running state, those in flight as they complete; operations allocate them anew after a restart.
 */
public final class Operations {

    private final ContextLife life;
    private final Operation[] byIndex;
    private final Activity activity = new Activity();

    /** Takes the operations of pools whose indices follow one another. */
    public Operations(ContextLife life, List<OperationPool> pools) {
        this.life = life;
        byIndex = pools.stream().flatMap(pool -> pool.operations().stream()).toArray(Operation[]::new);
        for (int i = 0; i < byIndex.length; i++) {
            if (byIndex[i].index() != i) {
                throw new IllegalArgumentException("Operation " + i + " has index " + byIndex[i].index());
            }
        }
    }

    public int size() {
        return byIndex.length;
    }

    Operation get(int index) {
        return byIndex[index];
    }

    /** Returns the operation in flight that a completion belongs to, or null. */
    public @Nullable Operation inFlight(long userData) {
        int index = (int) userData;
        if (index < 0 || index >= byIndex.length) {
            return null;
        }
        Operation operation = byIndex[index];
        return operation.isAddressedBy(userData) ? operation : null;
    }

    /** Counts what the operations do. */
    public Activity activity() {
        return activity;
    }

    /** Returns the number of tasks in flight. */
    public int inFlight() {
        return activity.inFlight();
    }

    void markSubmitted(Operation operation) {
        operation.startRecording();
        markInFlight(operation);
    }

    /** As {@link #markSubmitted}, for one of many submissions of a round, which need not all look for a recording. */
    void markSubmittedAgain(Operation operation) {
        if (life.engine().isRecording()) {
            operation.startRecording();
        }
        markInFlight(operation);
    }

    private void markInFlight(Operation operation) {
        operation.markSubmitted(life.engine().clock());
        activity.markSubmitted(operation.tasks(), operation.isDue());
    }

    public void markCompleted(Operation operation) {
        activity.markCompleted(operation.tasks(), operation.isDue());
        operation.markCompleted();
        if (!life.isRunning()) {
            freeTasks(operation);
        }
        if (life.isStopDeferred() && inFlight() == 0) {
            freeIdleTasks();
            life.repeatStop();
        }
    }

    private void freeTasks(Operation operation) {
        if (operation.isInSeries()) {
            freeIdleTasks();
        } else {
            operation.freeTask();
        }
    }

    /** Returns when the oldest operation in flight was submitted, by the engine's clock; 0 if none is. Any thread may call. */
    public long oldestInFlight() {
        long oldest = 0;
        for (Operation operation : byIndex) {
            long submitted = operation.submitted();
            if (submitted != 0 && (oldest == 0 || submitted - oldest < 0)) {
                oldest = submitted;
            }
        }
        return oldest;
    }

    /** Returns the operation in flight that is due and was submitted first; null if there is none. */
    @Nullable
    public Operation oldestDue() {
        Operation oldest = null;
        for (Operation operation : byIndex) {
            if (operation.submitted() != 0
                    && operation.isDue()
                    && (oldest == null || operation.submitted() - oldest.submitted() < 0)) {
                oldest = operation;
            }
        }
        return oldest;
    }

    /** Returns what at most {@code limit} operations in flight do. */
    public List<String> attemptsInFlight(int limit) {
        return Arrays.stream(byIndex)
                .filter(Operation::isInFlight)
                .limit(limit)
                .map(Operation::attemptInFlight)
                .toList();
    }

    /** Gives back all native tasks that are not in flight; they are allocated again when they are needed. */
    public void freeIdleTasks() {
        for (Operation operation : byIndex) {
            if (!operation.isInFlight()) {
                operation.freeTask();
            }
        }
    }

    /** Abandons all operations in flight; exceptions of users' code go to {@code errors}. */
    public void abandon(RuntimeException reason, Consumer<Throwable> errors) {
        for (Operation operation : byIndex) {
            if (operation.isInFlight()) {
                try {
                    operation.abandoned(reason);
                } catch (Throwable failure) {
                    errors.accept(failure);
                }
            }
        }
    }
}
