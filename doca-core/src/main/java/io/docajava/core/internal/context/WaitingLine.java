/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.context;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * On the engine of a loop: what waits for a free task, the oldest first. Nothing goes before what has waited longer, not even
 * what needs a task of another kind: the order of submission is kept.
 */
public final class WaitingLine {

    private final ContextCore core;
    private final ArrayDeque<WaitingTask> tasks = new ArrayDeque<>();

    WaitingLine(ContextCore core) {
        this.core = core;
    }

    /**
     * Whether what is asked for now has to wait: others do, or all tasks of its kind are in use and one of them will end. Only
     * on the engine of a loop, which progresses without being asked.
     */
    public boolean hasToWait(TaskTable<?> table) {
        return core.engine().isOfLoop() && (!tasks.isEmpty() || (table.available() == 0 && table.isAnyInFlight()));
    }

    /** Has a task wait behind the others. */
    public void await(WaitingTask task) {
        tasks.add(task);
        core.engine().addWaiting(1);
    }

    /** Has a task wait before the others, which was taken out of the line to be submitted and could not be. */
    public void awaitAgain(WaitingTask task) {
        tasks.addFirst(task);
        core.engine().addWaiting(1);
    }

    boolean isEmpty() {
        return tasks.isEmpty();
    }

    /** Submits what tasks are free for. */
    void submit() {
        while (core.isRunning()) {
            WaitingTask first = tasks.peek();
            if (first == null || !first.isReady()) {
                return;
            }
            if (first.table().available() > 0) {
                take();
                first.submit();
            } else if (first.table().isAnyInFlight()) {
                return;
            } else {
                // Somebody keeps all tasks of that kind, and none will end.
                refuse(core.noFreeTask(first.table()));
                return;
            }
        }
    }

    /** Refuses all. */
    public void refuse(RuntimeException reason) {
        // Those who are told may ask for more, which is not theirs to be refused.
        for (int left = tasks.size(); left > 0; left--) {
            WaitingTask next = take();
            if (next != null) {
                next.refuse(reason);
            }
        }
    }

    private @Nullable WaitingTask take() {
        WaitingTask next = tasks.poll();
        if (next != null) {
            core.engine().addWaiting(-1);
        }
        return next;
    }
}
