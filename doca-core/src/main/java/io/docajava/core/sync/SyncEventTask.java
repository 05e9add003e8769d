/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import io.docajava.core.context.GraphTask;
import io.docajava.core.context.PreparedTask;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.graph.Graph;
import io.docajava.core.internal.sync.SyncEventTaskImpl;

/**
 * A task of a sync event that is prepared once and submitted many times, such as {@code struct doca_sync_event_task_notify_set}.
 * Submitting and completing it allocate nothing.
 *
 * <p>A node of a {@link Graph} can run the task instead of {@link #submit()}. Nodes can thus wait for a value of an event, or
 * change an event after other nodes have succeeded:
 *
 * {@snippet :
 * ContextNode started = plan.context("started", event);
 * ContextNode copy = plan.context("copy", dma);
 * ContextNode done = plan.context("done", event);
 * plan.dependency(started, copy).dependency(copy, done);
 *
 * instance.set(started, event.task(SyncEventOperation.waitEqual(1)))
 *         .set(copy, dma.task(source, target))
 *         .set(done, event.task(SyncEventOperation.set(2)));
 * }
 *
 * <p>A run of a graph does not call the task's handler. It sets {@link #status()} as a submission does, or to {@link
 * TaskStatus#NEW} if the run has failed and the result of this task is unknown. User nodes that depend on the task can read its
 * {@link #result()}.
 *
 * <p>Only the engine's thread may use the task. It is closed with its context.
 */
public sealed interface SyncEventTask extends PreparedTask<SyncEventTask>, GraphTask permits SyncEventTaskImpl {

    /** {@return the type of the operations that this task can run, which does not change} */
    SyncEventTaskType type();

    /**
     * Sets the operation of the next submission.
     *
     * @param newOperation of the type of this task
     * @return this task
     * @throws IllegalArgumentException if the operation is of another type
     * @throws IllegalStateException if the task is in flight or closed
     */
    SyncEventTask operation(SyncEventOperation newOperation);

    /**
     * Returns the result of the last submission.
     *
     * @return the value that was read, or the value before an addition; for other operations, for which the SDK returns no value,
     *     the number of the operation; 0 if the last submission has not succeeded
     */
    long result();
}
