/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.graph;

import io.docajava.DocaException;
import io.docajava.core.DocaError;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.Context;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.GraphTask;
import io.docajava.core.internal.context.ContextCore;
import io.docajava.core.internal.context.Implementations;
import io.docajava.core.internal.engine.EngineImpl;
import io.docajava.core.internal.engine.GraphCore;
import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.ffi.DocaFunctionException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A graph of tasks of contexts, code of the program and other graphs that depend on one another ({@code struct doca_graph}).
 * Instances of the graph run it. During progress, the SDK begins each node when all nodes that it depends on have succeeded,
 * without a call by the program.
 *
 * {@snippet :
 * Graph.Builder plan = Graph.builder(engine);
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
 * <p>A graph and its instances belong to the thread of their engine. The contexts and sub-graphs of a graph cannot be closed
 * before it; the contexts may stop and restart.
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
public final class Graph implements AutoCloseable {

    private static final int MAX_INSTANCES = 65536;
    /** Bounds the recursion through nested graphs and instances. */
    private static final int MAX_DEPTH = 256;
    /** Bounds the memory and the time that a graph of graphs takes, since the nodes of sub-graphs are repeated in it. */
    private static final int MAX_NODES = 65536;

    private final ProgressEngine engine;
    private final Plan plan;
    /** The depth of nested graphs, including this one. */
    private final int depth;

    private final List<ContextCore> allContexts;
    private final int[] order;
    private final List<BitSet> ancestors;
    private final int[][] newlyVisible;
    private final int maxInstances;
    private final GraphCore core;
    private final NativeGraph graph;
    /** The open instances, by their numbers. */
    private final @Nullable GraphInstance[] instances;

    private final ArrayDeque<Integer> freeIndices = new ArrayDeque<>();

    private Graph(Builder builder) {
        engine = builder.engine;
        plan = builder.plan;
        maxInstances = builder.maxInstances;
        depth = 1 + subGraphs(plan).mapToInt(graph -> graph.depth).max().orElse(0);
        allContexts = allContexts(plan).toList();
        order = plan.order();
        ancestors = plan.ancestors(order);
        newlyVisible = plan.newlyVisible(order);
        instances = new GraphInstance[maxInstances];
        for (int i = 0; i < maxInstances; i++) {
            freeIndices.add(i);
        }
        core = new GraphCore(
                this,
                description(plan),
                engine,
                contexts(plan),
                subGraphs(plan).map(Graph::core).toList(),
                maxInstances,
                new Callbacks());
        try {
            graph = new NativeGraph(core, plan, order, maxInstances, this::runUserNode);
        } catch (Throwable failure) {
            core.end();
            throw failure;
        }
    }

    /**
     * Begins the plan of a graph.
     *
     * @param engine that progresses the graph and all of its contexts, and whose thread uses the builder
     * @return a builder of a graph without nodes
     */
    public static Builder builder(ProgressEngine engine) {
        return new Builder(engine);
    }

    /** {@return the number of nodes, without the nodes of sub-graphs} */
    public int size() {
        return plan.nodes().size();
    }

    /** {@return the maximum number of instances that can be open at the same time} */
    public int maxInstances() {
        return maxInstances;
    }

    /**
     * Creates an instance ({@code doca_graph_instance_create}). Set the tasks, data and sub-graph instances of its nodes before
     * submitting it.
     *
     * @return the instance, which belongs to the engine's thread and is to be closed by the caller
     * @throws IllegalStateException if the graph is closed, if called by a user node, or if the calling thread is not the
     *     engine's
     * @throws ResourceExhaustedException if {@link #maxInstances()} instances are open
     * @throws DocaException if the SDK refuses
     */
    public GraphInstance instance() {
        core.checkUsable();
        core.engine().refuseInUserNode("make an instance of a graph");
        Integer number = freeIndices.peek();
        if (number == null) {
            throw new ResourceExhaustedException(this + " has " + maxInstances
                    + " instances, as many as it can: close one, or raise maxInstances()");
        }
        GraphInstance instance = new GraphInstance(this, number);
        freeIndices.remove();
        instances[number] = instance;
        return instance;
    }

    /**
     * Stops the graph and destroys it ({@code doca_graph_stop}, {@code doca_graph_destroy}). A second call does nothing.
     *
     * @throws IllegalStateException if it has open instances or is part of open graphs, which the message names; if called by a
     *     user node; or if the calling thread is not the engine's
     * @throws DocaException if the SDK refuses; the graph stays open
     */
    @Override
    public void close() {
        core.checkThreadToClose();
        core.engine().refuseInUserNode("close a graph");
        if (core.resource().beginClose()) {
            try {
                graph.close();
            } catch (Throwable failure) {
                core.resource().cancelClose();
                throw failure;
            }
            core.end();
        }
    }

    @Override
    public String toString() {
        return core.resource().description();
    }

    ProgressEngine engine() {
        return engine;
    }

    GraphCore core() {
        return core;
    }

    NativeGraph nativeGraph() {
        return graph;
    }

    Plan plan() {
        return plan;
    }

    List<GraphNode> nodes() {
        return plan.nodes();
    }

    /** Returns the numbers of all nodes, each after the nodes that it depends on. */
    int[] order() {
        return order;
    }

    /** Returns whether a node depends on another one, directly or not. */
    boolean isBefore(int earlier, int later) {
        return ancestors.get(later).get(earlier);
    }

    /** Returns the tasks and sub-graphs whose results may become visible to user code when a node runs. */
    int[] newlyVisible(int node) {
        return newlyVisible[node];
    }

    void checkOwn(GraphNode node) {
        if (!node.isOf(plan)) {
            throw new IllegalArgumentException("The " + node + " is of another graph, and not of " + this);
        }
    }

    /** Removes a closed instance. */
    void forget(int number) {
        instances[number] = null;
        freeIndices.add(number);
    }

    /** Called from native code, so it must not throw: an exception would end the process. */
    private int runUserNode(int instance, int position) {
        try {
            return core.engine()
                    .runUserNode(
                            () -> Objects.requireNonNull(instances[instance]).runUserNodeAt(position));
        } catch (Throwable failure) {
            core.engine().delivery().reportLater(failure);
            return DocaError.UNEXPECTED.code();
        }
    }

    /** The calls of the engine, which users cannot make. */
    private final class Callbacks implements GraphCore.Callbacks {

        @Override
        public void ended(int userData, boolean succeeded) {
            Objects.requireNonNull(instances[userData]).ended(succeeded);
        }

        @Override
        public boolean isRunning() {
            return openInstances().anyMatch(GraphInstance::isRunning);
        }

        @Override
        public void close() {
            openInstances().toList().forEach(GraphInstance::close);
            Graph.this.close();
        }

        private Stream<GraphInstance> openInstances() {
            return Arrays.stream(instances).filter(Objects::nonNull);
        }
    }

    private static String description(Plan plan) {
        int size = plan.nodes().size();
        return size == 1 ? "Graph of 1 node" : "Graph of " + size + " nodes";
    }

    private static List<ContextCore> contexts(Plan plan) {
        return nodes(plan, ContextNode.class)
                .map(ContextNode::context)
                .distinct()
                .toList();
    }

    /** Returns the contexts of a plan and of its sub-graphs. */
    private static Stream<ContextCore> allContexts(Plan plan) {
        return Stream.concat(contexts(plan).stream(), subGraphs(plan).flatMap(graph -> graph.allContexts.stream()))
                .distinct();
    }

    private static Stream<Graph> subGraphs(Plan plan) {
        return nodes(plan, SubGraphNode.class).map(SubGraphNode::graph).distinct();
    }

    private static <N extends GraphNode> Stream<N> nodes(Plan plan, Class<N> type) {
        return plan.nodes().stream().filter(type::isInstance).map(type::cast);
    }

    /**
     * Builds the plan of a graph. Nodes are numbered in the order in which they are added, and may have names for error messages. A
     * builder belongs to the thread of its engine.
     */
    public static final class Builder {

        private final ProgressEngine engine;
        private final Plan plan = new Plan();
        private int maxInstances = 64;
        private boolean started;

        private Builder(ProgressEngine engine) {
            this.engine = Objects.requireNonNull(engine, "engine");
        }

        /**
         * Sets the maximum number of instances that can be open at the same time; 64 by default.
         *
         * @param maxInstances from 1 to 65536
         * @return this builder
         * @throws IllegalArgumentException if {@code maxInstances} is out of that range
         */
        public Builder maxInstances(int maxInstances) {
            if (maxInstances < 1 || maxInstances > MAX_INSTANCES) {
                throw new IllegalArgumentException(
                        "A graph has room for 1 to " + MAX_INSTANCES + " instances, and not " + maxInstances);
            }
            this.maxInstances = maxInstances;
            return this;
        }

        /** Returns the number of nodes. */
        @Override
        public String toString() {
            return "Graph.Builder with " + plan.nodes().size() + " nodes";
        }

        /**
         * Adds a node without a name that runs a task of a context, as {@link #context(String, Context)} does.
         *
         * @param context an open context of the graph's engine
         * @return the node, for {@link GraphInstance#set(ContextNode, GraphTask)}
         * @throws IllegalArgumentException if the context is closed, or of another engine
         * @throws IllegalStateException if the graph was started, or the calling thread is not the engine's
         */
        public ContextNode context(Context context) {
            Objects.requireNonNull(context, "context");
            return addContext(null, context);
        }

        /**
         * Adds a node that runs a task of a context ({@code doca_graph_node_create_from_ctx}).
         *
         * @param name for error messages; it need not be unique
         * @param context an open context of the graph's engine
         * @return the node, for {@link GraphInstance#set(ContextNode, GraphTask)}
         * @throws IllegalArgumentException if the context is closed, or of another engine
         * @throws IllegalStateException if the graph was started, or the calling thread is not the engine's
         */
        public ContextNode context(String name, Context context) {
            Objects.requireNonNull(context, "context");
            return addContext(Objects.requireNonNull(name, "name"), context);
        }

        /**
         * Adds a node without a name that runs code of the program, as {@link #user(String, NodeAction)} does.
         *
         * @param <T> the type of the data that an instance has for the node
         * @param action called by the engine's thread, once in each run of an instance
         * @return the node, for {@link GraphInstance#set(UserNode, Object)}
         * @throws IllegalStateException if the graph was started, or the calling thread is not the engine's
         */
        public <T> UserNode<T> user(NodeAction<? super T> action) {
            Objects.requireNonNull(action, "action");
            return addUser(null, action);
        }

        /**
         * Adds a node that runs code of the program ({@code doca_graph_node_create_from_user}).
         *
         * @param <T> the type of the data that an instance has for the node
         * @param name for error messages; it need not be unique
         * @param action called by the engine's thread, once in each run of an instance
         * @return the node, for {@link GraphInstance#set(UserNode, Object)}
         * @throws IllegalStateException if the graph was started, or the calling thread is not the engine's
         */
        public <T> UserNode<T> user(String name, NodeAction<? super T> action) {
            Objects.requireNonNull(action, "action");
            return addUser(Objects.requireNonNull(name, "name"), action);
        }

        /**
         * Adds a node without a name that runs an instance of another graph, as {@link #graph(String, Graph)} does.
         *
         * @param graph an open graph of the same engine
         * @return the node, for {@link GraphInstance#set(SubGraphNode, GraphInstance)}
         * @throws IllegalArgumentException if {@code graph} is of another engine, if graphs would be nested more than 256 deep, or if
         *     the graph would have more than 65536 nodes, including those of its sub-graphs
         * @throws IllegalStateException if {@code graph} is closed, the graph of this builder was started, or the calling thread
         *     is not the engine's
         */
        public SubGraphNode graph(Graph graph) {
            Objects.requireNonNull(graph, "graph");
            return addGraph(null, graph);
        }

        /**
         * Adds a node that runs an instance of another graph. The graph of this builder gets nodes of its own for those of the
         * other graph.
         *
         * @param name for error messages; it need not be unique
         * @param graph an open graph of the same engine
         * @return the node, for {@link GraphInstance#set(SubGraphNode, GraphInstance)}
         * @throws IllegalArgumentException if {@code graph} is of another engine, if graphs would be nested more than 256 deep, or if
         *     the graph would have more than 65536 nodes, including those of its sub-graphs
         * @throws IllegalStateException if {@code graph} is closed, the graph of this builder was started, or the calling thread
         *     is not the engine's
         */
        public SubGraphNode graph(String name, Graph graph) {
            Objects.requireNonNull(graph, "graph");
            return addGraph(Objects.requireNonNull(name, "name"), graph);
        }

        /**
         * Makes a node depend on another one ({@code doca_graph_add_dependency}). Adding a dependency again does nothing.
         *
         * @param from the node that has to succeed first
         * @param to the node that begins after {@code from} and all other nodes that it depends on
         * @return this builder
         * @throws IllegalArgumentException if a node is of another graph, or the dependency closes a cycle, which the message names
         * @throws IllegalStateException if the graph was started, or the calling thread is not the engine's
         */
        public Builder dependency(GraphNode from, GraphNode to) {
            Objects.requireNonNull(from, "from");
            Objects.requireNonNull(to, "to");
            checkNotStarted();
            checkOwn(from);
            checkOwn(to);
            plan.addDependency(from, to);
            return this;
        }

        /**
         * Creates the graph and starts it ({@code doca_graph_create}, {@code doca_graph_set_conf}, {@code doca_graph_start}). A
         * builder can do this once.
         *
         * @return the started graph, to be closed by the caller
         * @throws IllegalStateException if all nodes are user nodes; if a context, a sub-graph or the engine is closed; if the
         *     graph was started before; if called by a user node; or if the calling thread is not the engine's
         * @throws ContextNotRunningException if a context of a node, or of a node of a sub-graph, is not running
         * @throws DocaException if the SDK refuses
         * @throws DocaFunctionException if the loaded SDK has no graphs
         */
        public Graph start() {
            checkNotStarted();
            if (plan.nodes().stream().allMatch(UserNode.class::isInstance)) {
                throw new IllegalStateException("A graph needs a node of a context or of a graph, and this one has "
                        + plan.nodes().size() + " user nodes");
            }
            subGraphs(plan).map(Graph::core).forEach(GraphCore::checkUsable);
            allContexts(plan).forEach(ContextCore::checkRunningNow);
            Graph graph = new Graph(this);
            started = true;
            return graph;
        }

        private ContextNode addContext(@Nullable String name, Context context) {
            checkNotStarted();
            ContextCore core = Implementations.core(context);
            if (!core.engine().equals(EngineImpl.of(engine)) || core.resource().state() == Resource.State.CLOSED) {
                throw new IllegalArgumentException(
                        "A node is of an open context of the graph's engine, and not of the " + context);
            }
            return plan.add(new ContextNode(plan, plan.nodes().size(), name, core));
        }

        private <T> UserNode<T> addUser(@Nullable String name, NodeAction<? super T> action) {
            checkNotStarted();
            return plan.add(new UserNode<>(plan, plan.nodes().size(), name, action));
        }

        private SubGraphNode addGraph(@Nullable String name, Graph graph) {
            checkNotStarted();
            if (!graph.engine.equals(engine)) {
                throw new IllegalArgumentException("The " + graph + " is of another engine");
            }
            if (graph.depth == MAX_DEPTH) {
                throw new IllegalArgumentException("The " + graph + " cannot be part of another graph: there are "
                        + MAX_DEPTH + " within one another already, as many as there can be");
            }
            int size = plan.allNodes() + 1 + graph.plan.allNodes();
            if (size > MAX_NODES) {
                throw new IllegalArgumentException("The " + graph + " cannot be part of this graph, which would have "
                        + size + " nodes, including those of its sub-graphs: it can have " + MAX_NODES);
            }
            graph.core.checkUsable();
            return plan.add(new SubGraphNode(plan, plan.nodes().size(), name, graph));
        }

        private void checkNotStarted() {
            EngineImpl.of(engine).checkUsable();
            if (started) {
                throw new IllegalStateException("The graph of this builder was started");
            }
        }

        private void checkOwn(GraphNode node) {
            if (!node.isOf(plan)) {
                throw new IllegalArgumentException("The " + node + " is of another graph");
            }
        }
    }
}
