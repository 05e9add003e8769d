/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.operation;

import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.internal.engine.Activity;
import io.docajava.core.internal.memory.MapState;
import io.docajava.core.internal.state.ContextLife;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The pool of all operations of one type of a context, created with the context. Contexts take operations from it, and
 * an {@link Operation} returns itself when it has ended. The pool is a stack, because the operation returned last is
 * likely to be in the processor's cache.
 */
public final class OperationPool {

    /** The number of operations, besides the one returned last, among which {@link #poll(MapState, MapState)} looks for its maps. */
    private static final int DEPTH = 3;

    private final OperationType type;
    private final String kind;
    private final String setting;
    private final Operation[] operations;

    private final int[] free;
    private int freeCount;

    private @Nullable ContextLife life;
    private @Nullable TaskQueue queue;
    private @Nullable Activity activity;
    private @Nullable RangeBuffers ranges;

    /** Creates the only pool of a context. */
    public OperationPool(OperationType type, int size) {
        this(type, "task", "maxTasks()", 0, size);
    }

    /**
     * Creates one of several pools of a context.
     *
     * @param kind the name of a task of the type in messages, such as {@code "task to write"}
     * @param setting the method of the builder that sets the size
     * @param firstIndex the index of the first operation; the sum of the sizes of the earlier pools
     */
    public OperationPool(OperationType type, String kind, String setting, int firstIndex, int size) {
        this.type = type;
        this.kind = kind;
        this.setting = setting;
        operations = new Operation[size];
        free = new int[size];
        for (int i = 0; i < size; i++) {
            operations[i] = new Operation(firstIndex + i, this, type, i);
            free[i] = size - 1 - i;
        }
        freeCount = size;
    }

    /** Takes an operation; returns null if all are taken. */
    public @Nullable Operation poll() {
        queue().repair();
        return freeCount == 0 ? null : operations[free[--freeCount]];
    }

    /**
     * Takes an operation on ranges of two maps; returns null if all are taken. Prefers one that has used the same maps, among the
     * few that were returned last.
     */
    public @Nullable Operation poll(@Nullable MapState source, @Nullable MapState destination) {
        queue().repair();
        int last = freeCount - 1;
        if (last < 0) {
            return null;
        }
        freeCount = last;
        Operation newest = operations[free[last]];
        return newest.isBoundTo(source, destination) ? newest : pollBehind(last, source, destination);
    }

    /** Takes an operation that has used these maps if there is one among those behind the newest; otherwise the newest. */
    private Operation pollBehind(int newest, @Nullable MapState source, @Nullable MapState destination) {
        int taken = newest;
        for (int i = newest - 1, end = Math.max(newest - DEPTH, 0); i >= end; i--) {
            if (operations[free[i]].isBoundTo(source, destination)) {
                taken = i;
                break;
            }
        }
        int number = free[taken];
        free[taken] = free[newest];
        return operations[number];
    }

    /**
     * Submits an operation on ranges, if the newest free one is bound to their maps and nothing else needs to be done, see
     * {@link Operation#submitBound}. The ranges were checked.
     *
     * @return false if nothing was done: the caller checks the stack, and takes an operation
     */
    public boolean submitBound(
            MapState source,
            long sourceAddress,
            MapState destination,
            long destinationAddress,
            long length,
            long tag,
            OperationSink sink,
            Object receiver) {
        int last = freeCount - 1;
        if (last < 0) {
            return false;
        }
        Operation newest = operations[free[last]];
        TaskQueue submissions = queue();
        if (!newest.isReadyFor(source, destination) || !submissions.canDefer()) {
            return false;
        }
        submissions.begin();
        freeCount = last;
        newest.tagged(tag).submitBound(submissions, sourceAddress, destinationAddress, length, sink, receiver);
        return true;
    }

    /** Makes the free operations those that are neither held nor in flight. */
    void rebuild() {
        freeCount = 0;
        for (Operation operation : operations) {
            if (operation.isFree()) {
                put(operation);
            }
        }
    }

    /**
     * Takes an operation.
     *
     * @throws ResourceExhaustedException if all are taken
     */
    public Operation take() {
        Operation operation = poll();
        if (operation == null) {
            throw noFreeTask();
        }
        return operation;
    }

    void put(Operation operation) {
        free[freeCount++] = operation.number();
    }

    public int size() {
        return operations.length;
    }

    /** Returns the number of operations that are not taken. */
    public int available() {
        queue().repair();
        return freeCount;
    }

    public OperationType type() {
        return type;
    }

    public ContextLife life() {
        return Objects.requireNonNull(life);
    }

    public TaskQueue queue() {
        return Objects.requireNonNull(queue);
    }

    Activity activity() {
        return Objects.requireNonNull(activity);
    }

    RangeBuffers ranges() {
        return Objects.requireNonNull(ranges);
    }

    /** Connects the operations to their context. Called once. */
    void attach(ContextLife newLife, TaskQueue newQueue, Activity newActivity, RangeBuffers newRanges) {
        life = newLife;
        queue = newQueue;
        activity = newActivity;
        ranges = newRanges;
    }

    /** Returns the exception for a call that needs an operation when all are taken. */
    public ResourceExhaustedException noFreeTask() {
        return new ResourceExhaustedException(life().description() + " has no free " + kind + ": all " + size()
                + (isAnyInFlight()
                        ? " are in use; progress until one completes, or raise "
                        : " are held by open prepared tasks and series; close one, or raise ")
                + setting);
    }

    List<Operation> operations() {
        return List.of(operations);
    }

    /** Returns whether an operation is in flight and will become free. */
    boolean isAnyInFlight() {
        for (Operation operation : operations) {
            if (operation.isInFlight()) {
                return true;
            }
        }
        return false;
    }
}
