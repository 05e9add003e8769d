/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.graph;

import io.docajava.DocaException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.GraphTask;
import io.docajava.core.internal.graph.GraphInstanceImpl;
import io.docajava.core.progress.Completion;

/**
 * The tasks, data and sub-graph instances for the nodes of a graph ({@code struct doca_graph_instance}). An instance can run any
 * number of times, one run after the other. Different instances of a graph can run at the same time.
 *
 * <p>Tasks that depend on one another may use the same buffers: a copy may read the bytes that an earlier copy has written. If
 * tasks that do not depend on one another use the same buffer in conflicting ways, {@link #submit()} refuses them, as for copies
 * outside of graphs.
 *
 * <p>While an instance runs, its tasks are in flight, and their buffers are in use. The data segment of a copy's destination is
 * extended before a user node that depends on the copy begins, or when the run has succeeded. If the run fails, the data segments
 * of all other destinations do not change.
 *
 * <p>An instance belongs to the thread of its graph's engine: calls by another one throw an {@link IllegalStateException}.
 */
public sealed interface GraphInstance extends AutoCloseable permits GraphInstanceImpl {

    /**
     * Sets the task that a node runs ({@code doca_graph_instance_set_ctx_node_data}). Its arguments may be changed between runs.
     *
     * @param node of this instance's graph
     * @param task of the node's context; it still belongs to the caller, who may close it while the instance does not run
     * @return this instance
     * @throws IllegalArgumentException if the node is of another graph, or the task of another context than the node
     * @throws IllegalStateException if the instance runs or is closed
     */
    GraphInstance set(ContextNode node, GraphTask task);

    /**
     * Sets the data that is passed to the code of a user node.
     *
     * @param <T> the type of the node's data
     * @param node of this instance's graph
     * @param data not null; the node gets this object in each run
     * @return this instance
     * @throws IllegalArgumentException if the node is of another graph
     * @throws IllegalStateException if the instance runs or is closed
     */
    <T> GraphInstance set(UserNode<T> node, T data);

    /**
     * Sets the instance of a sub-graph that a node runs. An instance can be set for only one node of one open instance. Setting it
     * again for that node does nothing.
     *
     * @param node of this instance's graph
     * @param subGraphInstance an open instance of the node's sub-graph. It still belongs to the caller, who can close it after
     *     this instance is closed or has another instance for the node
     * @return this instance
     * @throws IllegalArgumentException if the node is of another graph, or {@code subGraphInstance} is not of the node's
     *     sub-graph
     * @throws IllegalStateException if this instance runs or is closed; if {@code subGraphInstance} is closed, or is set for
     *     another node or in another open instance
     */
    GraphInstance set(SubGraphNode node, GraphInstance subGraphInstance);

    /**
     * Runs the instance ({@code doca_graph_instance_submit}). It can be submitted again after the future has completed.
     *
     * @return a future of this instance, which fails with a {@link GraphFailedException}
     * @throws IllegalArgumentException if the arguments of a task are wrong, or tasks that do not depend on one another use the
     *     same buffer in conflicting ways
     * @throws IllegalStateException if the instance runs or is closed; if a context node has no task or a sub-graph node no
     *     instance; if a task is in flight or closed, or a buffer cannot be used; or if called by a user node
     * @throws ContextNotRunningException if a context is not running
     * @throws DocaException if the SDK refuses; then nothing runs
     */
    Completion<GraphInstance> submit();

    /** {@return whether this instance runs, by itself or as a part of another instance} Only the engine's thread may call. */
    boolean isRunning();

    /**
     * Destroys the instance ({@code doca_graph_instance_destroy}). Its tasks and sub-graph instances stay open. A second call
     * does nothing.
     *
     * @throws IllegalStateException if it runs or is set for a node of an open instance, or if called by a user node
     * @throws DocaException if the SDK refuses; the instance stays open
     */
    @Override
    void close();
}
