/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.context.GraphTask;
import io.docajava.core.context.PreparedTask;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.graph.Graph;
import io.docajava.rdma.internal.RdmaTaskImpl;

/**
 * An operation on a connection that is prepared once and submitted many times (such as {@code struct doca_rdma_task_write}).
 * Submissions and completions allocate nothing.
 *
 * {@snippet :
 * try (RdmaTask task = connection.task(RdmaOperation.write(sources.getFirst(), remotes.getFirst()))) {
 *     for (int i = 0; i < sources.size(); i++) {
 *         task.operation(RdmaOperation.write(sources.get(i), remotes.get(i))).submit();
 *         while (!task.isDone()) {
 *             engine.progress();
 *         }
 *     }
 * }
 * }
 *
 * <p>A node of a {@link Graph} can run the task instead of {@link #submit()}. A run does not call the task's handler. It sets
 * {@link #status()} as a submission does, or to {@link TaskStatus#NEW} if the run has failed and it is not known how this task
 * ended. User nodes that depend on the task can read its {@link #result()}. If a task of a run writes to a range or a buffer of the
 * peer's memory, no other task of that run may use it.
 *
 * <p>The engine's thread uses the task. It outlasts a stop and restart of its context, but then needs a new {@link #connection}. It
 * is closed with the context.
 */
public sealed interface RdmaTask extends PreparedTask<RdmaTask>, GraphTask permits RdmaTaskImpl {

    /** {@return the type of the operations that this task can run, which does not change} */
    RdmaTaskType type();

    /**
     * Sets the connection of the next submission.
     *
     * @param newConnection of this task's context; its state is checked when the task is submitted
     * @return this task
     * @throws IllegalArgumentException if the connection is of another context
     * @throws IllegalStateException if the task is in flight or closed
     */
    RdmaTask connection(RdmaConnection newConnection);

    /**
     * Sets the operation of the next submission.
     *
     * @param newOperation of the type of this task; its ranges are checked now, its buffers when the task is submitted
     * @return this task
     * @throws IllegalArgumentException if the operation is of another type, or the device cannot use its ranges
     * @throws IllegalStateException if the task is in flight or closed, or a map is closed
     */
    RdmaTask operation(RdmaOperation newOperation);

    /**
     * Returns the result of the last submission.
     *
     * @return the result, as in {@link OperationEnd#result}; 0 unless the last submission has succeeded
     */
    long result();
}
