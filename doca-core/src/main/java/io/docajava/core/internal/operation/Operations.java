/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.operation;

import io.docajava.DocaException;
import io.docajava.core.internal.engine.Activity;
import io.docajava.core.internal.engine.EngineImpl;
import io.docajava.core.internal.memory.MapHolder;
import io.docajava.core.internal.memory.MapState;
import io.docajava.core.internal.state.ContextLife;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All operations of a context by index, with the bookkeeping of those in flight. The context's core, its {@link
 * TaskQueue} and its engine call it.
 *
 * <p>The SDK lets a context become idle only when all its tasks are freed. When the context leaves the running state,
 * the native tasks kept for reuse are therefore freed, and those in flight as they complete. Operations allocate new
 * tasks after a restart.
 */
public final class Operations {

    private final ContextLife life;
    private final EngineImpl engine;
    private final List<OperationPool> pools;
    private final Operation[] byIndex;
    private final Activity activity = new Activity();
    /** The indices of the operations that have had a native task or buffers. A context seldom uses all. */
    private final BitSet used;

    /** Collects the operations of pools with consecutive indices. */
    public Operations(ContextLife life, List<OperationPool> pools) {
        this.life = life;
        this.engine = life.engine();
        this.pools = pools;
        byIndex = pools.stream().flatMap(pool -> pool.operations().stream()).toArray(Operation[]::new);
        used = new BitSet(byIndex.length);
        for (int i = 0; i < byIndex.length; i++) {
            if (byIndex[i].index() != i) {
                throw new IllegalArgumentException("Operation " + i + " has index " + byIndex[i].index());
            }
        }
    }

    /** Connects the pools of the operations to their context, and returns the buffers of operations on ranges. Called once. */
    public RangeBuffers attach(TaskQueue queue, long closeTimeoutNanos) {
        RangeBuffers ranges = new RangeBuffers(life, this, closeTimeoutNanos);
        pools.forEach(pool -> pool.attach(life, queue, activity, ranges));
        return ranges;
    }

    public int size() {
        return byIndex.length;
    }

    Operation get(int index) {
        return byIndex[index];
    }

    /** Called before an operation gets a native task or buffers. */
    void markUsed(int index) {
        used.set(index);
    }

    /** Completes the operation whose task, or the last task of a series, has succeeded. The engine calls it after progress. */
    public void succeeded(long userData) {
        Operation operation = inFlight(userData);
        operation.collect();
        markCompleted(operation);
        operation.succeeded(activity);
    }

    /**
     * Returns the operation in flight that a completion belongs to.
     *
     * @throws DocaException if there is none
     */
    public Operation inFlight(long userData) {
        int index = (int) userData;
        if (index < 0 || index >= byIndex.length || !byIndex[index].isAddressedBy(userData)) {
            throw new DocaException(life.description() + ": completion of a task that is not in flight (user data 0x"
                    + Long.toHexString(userData) + ")");
        }
        return byIndex[index];
    }

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

    /**
     * Does the same as {@link #markSubmitted} for one of many submissions in a round. It does not check again whether
     * JFR records.
     */
    void markSubmittedAgain(Operation operation) {
        if (engine.isRecording()) {
            operation.startRecording();
        }
        markInFlight(operation);
    }

    /** Counts an operation that is in no series and no graph, before it is marked. */
    void countBound(Operation operation) {
        activity.markSubmitted(1, !operation.isOpenEnded());
    }

    /** Corrects all numbers after a submission that was cut short. */
    void recount() {
        int tasks = 0;
        int openEnded = 0;
        for (Operation operation : byIndex) {
            int counted = operation.countedTasks();
            tasks += counted;
            openEnded += operation.isDue() ? 0 : counted;
        }
        pools.forEach(OperationPool::rebuild);
        activity.recount(tasks, openEnded);
    }

    private void markInFlight(Operation operation) {
        operation.markSubmitted(engine.clock());
        activity.markSubmitted(operation.tasks(), operation.isDue());
    }

    public void markCompleted(Operation operation) {
        activity.markCompleted(operation.tasks(), operation.isDue());
        operation.markCompleted();
        if (!life.isRunning()) {
            endTask(operation);
        }
    }

    private void endTask(Operation operation) {
        freeTasks(operation);
        if (life.isStopRefused() && inFlight() == 0) {
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

    /**
     * Returns when the oldest operation in flight was submitted, by the engine's clock; 0 if none is. Any thread may
     * call.
     */
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

    /** Returns the oldest operation in flight that is due; null if there is none. */
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

    /** Returns descriptions of at most {@code limit} operations in flight. */
    public List<String> attemptsInFlight(int limit) {
        return Arrays.stream(byIndex)
                .filter(Operation::isInFlight)
                .limit(limit)
                .map(Operation::attemptInFlight)
                .toList();
    }

    /** Frees all native tasks that are not in flight. They are allocated again when needed. */
    public void freeIdleTasks() {
        for (int i = used.nextSetBit(0); i >= 0; i = used.nextSetBit(i + 1)) {
            byIndex[i].freeIdleTask();
        }
    }

    /** Releases the buffers over a map of all operations that are not in flight. Returns how many are left. */
    int unbind(MapState map) {
        int left = 0;
        for (int i = used.nextSetBit(0); i >= 0; i = used.nextSetBit(i + 1)) {
            left += byIndex[i].unbind(map);
        }
        return left;
    }

    /** Releases all buffers over maps. No operation is in flight. */
    void unbindAll(MapHolder holder) {
        for (int i = used.nextSetBit(0); i >= 0; i = used.nextSetBit(i + 1)) {
            byIndex[i].unbindAll(holder);
        }
    }

    /** Abandons all operations in flight. Exceptions of user code go to {@code errors}. */
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
