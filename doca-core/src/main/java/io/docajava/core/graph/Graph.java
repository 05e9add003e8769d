/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.graph;

import io.docajava.DocaException;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.internal.graph.GraphImpl;
import io.docajava.core.progress.ProgressEngine;

/**
 * A graph of tasks of contexts, code of the program and other graphs that depend on one another ({@code struct doca_graph}).
 * Instances of the graph run it. During progress, the SDK begins each node when all nodes that it depends on have succeeded,
 * without a call by the program.
 *
 * {@snippet :
 * GraphBuilder plan = Graph.builder(engine);
 * ContextNode first = plan.context("first copy", dma);
 * ContextNode second = plan.context("second copy", dma);
 * UserNode<Copies> compare = plan.user("compare", Copies::compare);
 * plan.dependency(first, compare).dependency(second, compare);
 *
 * try (Graph graph = plan.start();
 *         GraphInstance instance = graph.instance()) {
 *     instance.set(first, firstTask).set(second, secondTask).set(compare, copies);
 *     instance.submit().await();
 * }
 * }
 *
 * <p>A graph and its instances belong to the thread of their engine: calls by another one throw an {@link IllegalStateException}.
 * The contexts and sub-graphs of a graph cannot be closed before it; the contexts may stop and restart.
 *
 * <p>While an instance runs, all of its tasks are in flight, even those that have not begun. If a context of one of these tasks
 * is stopped, it becomes idle when the run has ended. A run that waits for a sync event delays that stop: to end the wait, change
 * the event or stop its context.
 *
 * <p>If a user node throws an exception, the run fails, and no other user node of the run begins. The SDK ignores the failure: it
 * still runs the tasks that depend on the failed node, and the run ends after them. Let such tasks write only to memory where
 * this does no harm after a failure.
 *
 * <p>A graph contains the nodes of its sub-graphs themselves, since DOCA does not end the run of a graph whose sub-graph has
 * failed.
 */
public sealed interface Graph extends AutoCloseable permits GraphImpl {

    /**
     * Begins the plan of a graph.
     *
     * @param engine that progresses the graph and all of its contexts, and whose thread uses the builder
     * @return a builder of a graph without nodes
     */
    static GraphBuilder builder(ProgressEngine engine) {
        return GraphImpl.builder(engine);
    }

    /** {@return the number of nodes, without the nodes of sub-graphs} */
    int size();

    /** {@return the maximum number of instances that can be open at the same time} */
    int maxInstances();

    /**
     * Creates an instance ({@code doca_graph_instance_create}). Set the tasks, data and sub-graph instances of its nodes before
     * submitting it.
     *
     * @return the instance, which belongs to the engine's thread and is to be closed by the caller
     * @throws IllegalStateException if the graph is closed, or if called by a user node
     * @throws ResourceExhaustedException if {@link #maxInstances()} instances are open
     * @throws DocaException if the SDK refuses
     */
    GraphInstance instance();

    /**
     * Stops the graph and destroys it ({@code doca_graph_stop}, {@code doca_graph_destroy}). A second call does nothing.
     *
     * @throws IllegalStateException if it has open instances or is part of open graphs, which the message names, or if called by a
     *     user node
     * @throws DocaException if the SDK refuses; the graph stays open
     */
    @Override
    void close();
}
