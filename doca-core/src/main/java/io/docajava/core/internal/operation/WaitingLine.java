/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.operation;

import io.docajava.DocaException;
import io.docajava.core.internal.engine.Activity;
import io.docajava.core.internal.engine.EngineLoop;
import io.docajava.core.internal.engine.LoopRoom;
import io.docajava.core.internal.memory.MapState;
import io.docajava.core.internal.state.ContextLife;
import io.docajava.core.memory.Buf;
import io.docajava.core.progress.Completion;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The operations that wait for a free task, in the order of their submission. No operation overtakes another, even if
 * it needs a task of another type. Contexts add operations, only on the engine of a loop; {@link #submit()} runs after
 * each delivery.
 */
public final class WaitingLine {

    private final ContextLife life;
    private final Activity activity;
    /** The places of its operations in the queue of the loop. */
    private final @Nullable LoopRoom room;

    private final ArrayDeque<ParkedOperation> operations = new ArrayDeque<>();

    public WaitingLine(ContextLife life, Activity activity) {
        this.life = life;
        this.activity = activity;
        EngineLoop loop = life.engine().owningLoop();
        this.room = loop == null ? null : loop.addRoom(life.description());
    }

    /** Returns the places of its operations in the queue of the loop. */
    public LoopRoom room() {
        return Objects.requireNonNull(room);
    }

    /** Called when no more operations are added. Threads that wait for places in the room go on. */
    public void close() {
        if (room != null) {
            room.close();
        }
    }

    /**
     * Returns whether an operation has to wait: because others do, or because all tasks of its type are in use and one
     * is in flight.
     */
    public boolean hasToWait(OperationPool pool) {
        return life.engine().isOfLoop() && (!operations.isEmpty() || (pool.available() == 0 && pool.isAnyInFlight()));
    }

    /**
     * Starts an operation with a future: submits it, or parks it until a task is free. Invalid arguments are thrown,
     * even if the operation could not be submitted anyway. All other failures complete the future, as they do for an
     * operation that has waited. The caller has checked the thread and that the context is open.
     *
     * @param submission submits the operation
     * @throws IllegalArgumentException if the arguments are wrong
     * @throws IllegalStateException if a buffer, the subject or the event cannot be used
     */
    public void start(
            OperationPool pool,
            @Nullable Object subject,
            @Nullable Buf local,
            @Nullable Buf remote,
            @Nullable RemoteEvent event,
            Completion<?> completion,
            Runnable submission) {
        try {
            if (!life.isRunning()) {
                throw life.notRunning();
            }
            if (hasToWait(pool)) {
                park(new ParkedOperation(pool, subject, local, remote, event, completion, () -> {
                    submission.run();
                    return true;
                }));
            } else {
                submission.run();
            }
        } catch (DocaException failure) {
            try {
                ParkedOperation.check(pool, subject, local, remote, event);
            } catch (DocaException second) {
                // For example a closed connection of a stopped context: the first failure explains it.
            }
            completion.completeExceptionally(failure);
        }
    }

    /**
     * Starts an operation on ranges with a future, as {@link #start(OperationPool, Object, Buf, Buf, RemoteEvent, Completion, Runnable)}
     * does. The ranges were checked, but for the maps.
     *
     * @param source the map to read from, or null
     * @param destination the map to write to, or null
     * @param submission submits the operation
     * @throws IllegalArgumentException if the device cannot use a map in this way
     * @throws IllegalStateException if the subject cannot be used, a map is closed or its memory was freed
     */
    public void start(
            OperationPool pool,
            @Nullable Object subject,
            @Nullable MapState source,
            @Nullable MapState destination,
            Completion<?> completion,
            Runnable submission) {
        try {
            if (!life.isRunning()) {
                throw life.notRunning();
            }
            if (hasToWait(pool)) {
                pool.type().checkSubject(subject);
                park(new ParkedOperation(pool, source, destination, completion, submission));
            } else {
                submission.run();
            }
        } catch (DocaException failure) {
            completion.completeExceptionally(failure);
        }
    }

    public void park(ParkedOperation operation) {
        operations.add(operation);
        addWaiting(1);
    }

    public boolean isEmpty() {
        return operations.isEmpty();
    }

    /** Submits operations while tasks are free. */
    public void submit() {
        // User code that a refusal calls may add operations, which are not refused.
        int refusals = operations.size();
        while (life.isRunning()) {
            ParkedOperation first = operations.peek();
            if (first == null) {
                return;
            }
            if (first.isCancelled()) {
                poll();
                first.drop();
            } else if (!first.isReady()) {
                return;
            } else if (first.pool().available() > 0) {
                poll();
                if (!first.submit()) {
                    operations.addFirst(first);
                    addWaiting(1);
                }
            } else if (first.pool().isAnyInFlight()) {
                return;
            } else if (refusals > 0) {
                // Users hold all tasks of that type, and none will become free.
                refusals--;
                poll();
                first.refuse(first.pool().noFreeTask());
            } else {
                return;
            }
        }
    }

    /** Fails all waiting operations. */
    public void refuse(RuntimeException reason) {
        // User code called meanwhile may add operations, which are not refused.
        for (int left = operations.size(); left > 0; left--) {
            ParkedOperation next = poll();
            if (next != null) {
                next.refuse(reason);
            }
        }
    }

    private @Nullable ParkedOperation poll() {
        ParkedOperation next = operations.poll();
        if (next != null) {
            addWaiting(-1);
        }
        return next;
    }

    /** Adds to the number of operations that wait, for those that the caller keeps. */
    public void addWaiting(int more) {
        activity.addQueued(more);
        if (room != null) {
            room.addWaiting(more);
        }
        life.engine().delivery().addWaiting(more);
    }
}
