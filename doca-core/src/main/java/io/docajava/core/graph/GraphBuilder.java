/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.graph;

import io.docajava.DocaException;
import io.docajava.core.context.Context;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.GraphTask;
import io.docajava.core.internal.graph.GraphBuilderImpl;
import io.docajava.ffi.DocaFunctionException;

/**
 * Builds the plan of a graph. Nodes are numbered in the order in which they are added, and may have names for error messages. A
 * builder belongs to the thread of its engine: calls by another one throw an {@link IllegalStateException}.
 */
public sealed interface GraphBuilder permits GraphBuilderImpl {

    /**
     * Sets the maximum number of instances that can be open at the same time; 64 by default.
     *
     * @param maxInstances from 1 to 65536
     * @return this builder
     * @throws IllegalArgumentException if {@code maxInstances} is out of that range
     */
    GraphBuilder maxInstances(int maxInstances);

    /**
     * Adds a node without a name that runs a task of a context, as {@link #context(String, Context)} does.
     *
     * @param context an open context of the graph's engine
     * @return the node, for {@link GraphInstance#set(ContextNode, GraphTask)}
     * @throws IllegalArgumentException if the context is closed, or of another engine
     * @throws IllegalStateException if the graph was started
     */
    ContextNode context(Context context);

    /**
     * Adds a node that runs a task of a context ({@code doca_graph_node_create_from_ctx}).
     *
     * @param name for error messages; it need not be unique
     * @param context an open context of the graph's engine
     * @return the node, for {@link GraphInstance#set(ContextNode, GraphTask)}
     * @throws IllegalArgumentException if the context is closed, or of another engine
     * @throws IllegalStateException if the graph was started
     */
    ContextNode context(String name, Context context);

    /**
     * Adds a node without a name that runs code of the program, as {@link #user(String, NodeAction)} does.
     *
     * @param <T> the type of the data that an instance has for the node
     * @param action called by the engine's thread, once in each run of an instance
     * @return the node, for {@link GraphInstance#set(UserNode, Object)}
     * @throws IllegalStateException if the graph was started
     */
    <T> UserNode<T> user(NodeAction<? super T> action);

    /**
     * Adds a node that runs code of the program ({@code doca_graph_node_create_from_user}).
     *
     * @param <T> the type of the data that an instance has for the node
     * @param name for error messages; it need not be unique
     * @param action called by the engine's thread, once in each run of an instance
     * @return the node, for {@link GraphInstance#set(UserNode, Object)}
     * @throws IllegalStateException if the graph was started
     */
    <T> UserNode<T> user(String name, NodeAction<? super T> action);

    /**
     * Adds a node without a name that runs an instance of another graph, as {@link #graph(String, Graph)} does.
     *
     * @param graph an open graph of the same engine
     * @return the node, for {@link GraphInstance#set(SubGraphNode, GraphInstance)}
     * @throws IllegalArgumentException if {@code graph} is of another engine, if graphs would be nested more than 256 deep, or if
     *     the graph would have more than 65536 nodes, including those of its sub-graphs
     * @throws IllegalStateException if {@code graph} is closed, or the graph of this builder was started
     */
    SubGraphNode graph(Graph graph);

    /**
     * Adds a node that runs an instance of another graph. The graph of this builder gets nodes of its own for those of the
     * other graph.
     *
     * @param name for error messages; it need not be unique
     * @param graph an open graph of the same engine
     * @return the node, for {@link GraphInstance#set(SubGraphNode, GraphInstance)}
     * @throws IllegalArgumentException if {@code graph} is of another engine, if graphs would be nested more than 256 deep, or if
     *     the graph would have more than 65536 nodes, including those of its sub-graphs
     * @throws IllegalStateException if {@code graph} is closed, or the graph of this builder was started
     */
    SubGraphNode graph(String name, Graph graph);

    /**
     * Makes a node depend on another one ({@code doca_graph_add_dependency}). Adding a dependency again does nothing.
     *
     * @param from the node that has to succeed first
     * @param to the node that begins after {@code from} and all other nodes that it depends on
     * @return this builder
     * @throws IllegalArgumentException if a node is of another graph, or the dependency closes a cycle, which the message names
     * @throws IllegalStateException if the graph was started
     */
    GraphBuilder dependency(GraphNode from, GraphNode to);

    /**
     * Creates the graph and starts it ({@code doca_graph_create}, {@code doca_graph_set_conf}, {@code doca_graph_start}). A
     * builder can do this once.
     *
     * @return the started graph, to be closed by the caller
     * @throws IllegalStateException if all nodes are user nodes, if a context, a sub-graph or the engine is closed, if the graph
     *     was started before, or if called by a user node
     * @throws ContextNotRunningException if a context of a node, or of a node of a sub-graph, is not running
     * @throws DocaException if the SDK refuses
     * @throws DocaFunctionException if the loaded SDK has no graphs
     */
    Graph start();
}
