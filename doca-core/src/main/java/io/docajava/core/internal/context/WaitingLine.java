/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.context;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The operations that wait for a free task, the oldest first; on the engine of a loop only. The order of submission is kept: no
 * operation passes another one, even if it needs a task of another type.
 */
public final class WaitingLine {

    private final ContextCore core;
    private final ArrayDeque<ParkedOperation> operations = new ArrayDeque<>();

    WaitingLine(ContextCore core) {
        this.core = core;
    }

    /** Returns whether an operation has to wait: others do, or all tasks of its type are in use and one of them will end. */
    public boolean hasToWait(OperationPool pool) {
        return core.engine().isOfLoop() && (!operations.isEmpty() || (pool.available() == 0 && pool.isAnyInFlight()));
    }

    /** Appends an operation. */
    public void park(ParkedOperation operation) {
        operations.add(operation);
        core.addWaiting(1);
    }

    boolean isEmpty() {
        return operations.isEmpty();
    }

    /** Submits operations as long as tasks are free. */
    void submit() {
        while (core.isRunning()) {
            ParkedOperation first = operations.peek();
            if (first == null) {
                return;
            }
            if (first.isCancelled()) {
                poll();
                first.release();
            } else if (!first.isReady()) {
                return;
            } else if (first.pool().available() > 0) {
                poll();
                if (!first.submit()) {
                    operations.addFirst(first);
                    core.addWaiting(1);
                }
            } else if (first.pool().isAnyInFlight()) {
                return;
            } else {
                // All tasks of that type are held, and none will end.
                refuse(first.pool().noFreeTask());
                return;
            }
        }
    }

    /** Fails all operations that wait. */
    public void refuse(RuntimeException reason) {
        // Code of users that runs meanwhile may add operations, which are not refused.
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
            core.addWaiting(-1);
        }
        return next;
    }
}
