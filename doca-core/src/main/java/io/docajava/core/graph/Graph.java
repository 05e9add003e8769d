/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.graph;

import io.docajava.DocaException;
import io.docajava.core.DocaError;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.Context;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.internal.engine.EngineContext;
import io.docajava.core.internal.engine.GraphCore;
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
 * Tasks of contexts, code of the program and other graphs that depend on one another, {@code struct doca_graph}: a plan,
 * of which instances run. What depends on nothing that runs still is begun by the SDK, inside of progress, without a way
 * through the program.
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
 *     instance.submit().await(engine);
 * }
 * }
 *
 * <p>A graph and its instances belong to the thread of their engine. Its contexts and sub-graphs cannot be closed before
 * it; they may stop and restart.
 *
 * <p>While an instance runs, all of its tasks are in flight, even those whose turn has not come. So a context of one of them
 * that is being stopped is idle only when the run has ended, and a run that waits for a sync event keeps it as long as it waits:
 * to end that, change the event, or stop its context.
 *
 * <p>A user node that throws fails the run, and no user node of the run begins after that. The SDK does not take notice: it
 * still runs the tasks of contexts that depend on the failed node. The run ends when they have ended. So let tasks that
 * follow a user node write only where that does no harm after a failure.
 */
public final class Graph implements AutoCloseable {

    private static final int MAX_INSTANCES = 65536;
    /** A run of an instance goes through all instances in it, one within the other, and so does the SDK. */
    private static final int MAX_DEPTH = 256;

    private final ProgressEngine engine;
    private final Plan plan;
    /** The depth of nested graphs, this one included. */
    private final int depth;

    private final int[] order;
    private final List<BitSet> ancestors;
    private final int[][] unseen;
    private final int maxInstances;
    private final GraphCore core;
    private final NativeGraph graph;
    /** By their numbers. */
    private final @Nullable GraphInstance[] instances;

    private final ArrayDeque<Integer> freeIndices = new ArrayDeque<>();

    private Graph(Builder builder) {
        engine = builder.engine;
        plan = builder.plan;
        maxInstances = builder.maxInstances;
        depth = 1 + subGraphs(plan).mapToInt(Graph::depth).max().orElse(0);
        order = plan.order();
        ancestors = plan.ancestors(order);
        unseen = plan.unseen(order);
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
                new Inside());
        try {
            graph = new NativeGraph(core, plan, maxInstances, this::runUserNode);
        } catch (Throwable failure) {
            core.end();
            throw failure;
        }
    }

    /** Begins the plan of a graph for an engine. */
    public static Builder builder(ProgressEngine engine) {
        return new Builder(engine);
    }

    /** Returns the number of nodes. */
    public int size() {
        return plan.nodes().size();
    }

    /** Returns the largest number of instances at a time. */
    public int maxInstances() {
        return maxInstances;
    }

    /**
     * Makes an instance ({@code doca_graph_instance_create}), whose nodes are given their work next.
     *
     * @throws IllegalStateException if the graph is closed, or the thread is the wrong one
     * @throws ResourceExhaustedException if the graph has all its instances already
     * @throws DocaException if the SDK refuses
     */
    public GraphInstance instance() {
        core.checkUsable();
        core.refuseInUserNode("make an instance of a graph");
        Integer number = freeIndices.peek();
        if (number == null) {
            throw new ResourceExhaustedException(this + " has " + maxInstances
                    + " instances, as many as it can: close one, or ask for more by maxInstances()");
        }
        GraphInstance instance = new GraphInstance(this, number);
        freeIndices.remove();
        instances[number] = instance;
        return instance;
    }

    /**
     * Stops the graph and destroys it ({@code doca_graph_stop}, {@code doca_graph_destroy}). A second call does nothing.
     *
     * @throws IllegalStateException if it has instances or is part of other graphs, which are named, if called by a user
     *     node, or if the thread is the wrong one
     * @throws DocaException if the SDK refuses
     */
    @Override
    public void close() {
        core.checkThreadToClose();
        core.refuseInUserNode("close a graph");
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

    private int depth() {
        return depth;
    }

    NativeGraph nativeGraph() {
        return graph;
    }

    List<GraphNode> nodes() {
        return plan.nodes();
    }

    /** The numbers of all nodes, each behind those that it depends on. */
    int[] order() {
        return order;
    }

    /** Returns whether a node depends on another one, directly or not. */
    boolean isBefore(int earlier, int later) {
        return ancestors.get(later).get(earlier);
    }

    /** The tasks and sub-graphs whose end the code of users sees for the first time when a node runs. */
    int[] unseen(int node) {
        return unseen[node];
    }

    void checkOwn(GraphNode node) {
        if (!node.isOf(plan)) {
            throw new IllegalArgumentException("The " + node + " is of another graph, and not of " + this);
        }
    }

    /** An instance was closed. */
    void forget(int number) {
        instances[number] = null;
        freeIndices.add(number);
    }

    /** Called from native code, so nothing may be thrown: that would end the process. */
    private int runUserNode(int instance, int node) {
        try {
            return core.runUserNode(
                    () -> Objects.requireNonNull(instances[instance]).runUserNode(node));
        } catch (Throwable failure) {
            core.report(failure);
            return DocaError.UNEXPECTED.code();
        }
    }

    /** The engine's view of the graph. Apart from it, as users are not to do so. */
    private final class Inside implements GraphCore.Inside {

        @Override
        public void ended(int userData, boolean succeeded) {
            int number = GraphInstance.endedNumber(userData);
            if (number >= 0) {
                Objects.requireNonNull(instances[number]).ended(succeeded);
            }
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

    private static List<EngineContext> contexts(Plan plan) {
        return nodes(plan, ContextNode.class)
                .map(ContextNode::context)
                .distinct()
                .toList();
    }

    private static Stream<Graph> subGraphs(Plan plan) {
        return nodes(plan, SubGraphNode.class).map(SubGraphNode::graph).distinct();
    }

    private static <N extends GraphNode> Stream<N> nodes(Plan plan, Class<N> type) {
        return plan.nodes().stream().filter(type::isInstance).map(type::cast);
    }

    /**
     * The plan of a graph. Nodes have numbers in the order in which they are made, and may have names, by which failures
     * call them.
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
         * Sets the largest number of instances at a time; 64 if not set.
         *
         * @throws IllegalArgumentException if it is less than 1, or more than 65536
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

        /** As {@link #context(String, Context)}, without a name. */
        public ContextNode context(Context context) {
            Objects.requireNonNull(context, "context");
            return addContext(null, context);
        }

        /**
         * Adds a node that runs a task of a context ({@code doca_graph_node_create_from_ctx}).
         *
         * @throws IllegalArgumentException if the context is closed, or of another engine
         * @throws IllegalStateException if the graph was started, or the thread is the wrong one
         */
        public ContextNode context(String name, Context context) {
            Objects.requireNonNull(context, "context");
            return addContext(Objects.requireNonNull(name, "name"), context);
        }

        /** As {@link #user(String, NodeAction)}, without a name. */
        public <T> UserNode<T> user(NodeAction<? super T> action) {
            Objects.requireNonNull(action, "action");
            return addUser(null, action);
        }

        /**
         * Adds a node that runs code of the program ({@code doca_graph_node_create_from_user}).
         *
         * @throws IllegalStateException if the graph was started, or the thread is the wrong one
         */
        public <T> UserNode<T> user(String name, NodeAction<? super T> action) {
            Objects.requireNonNull(action, "action");
            return addUser(Objects.requireNonNull(name, "name"), action);
        }

        /** As {@link #graph(String, Graph)}, without a name. */
        public SubGraphNode graph(Graph graph) {
            Objects.requireNonNull(graph, "graph");
            return addGraph(null, graph);
        }

        /**
         * Adds a node that runs an instance of another graph ({@code doca_graph_node_create_from_graph}).
         *
         * @throws IllegalArgumentException if that graph is of another engine, or if graphs would be nested more than 256 deep
         * @throws IllegalStateException if that graph is closed, this one was started, or the thread is the wrong one
         */
        public SubGraphNode graph(String name, Graph graph) {
            Objects.requireNonNull(graph, "graph");
            return addGraph(Objects.requireNonNull(name, "name"), graph);
        }

        /**
         * Lets a node begin when another one has succeeded ({@code doca_graph_add_dependency}).
         *
         * @param from what has to succeed
         * @param to what depends on it
         * @return this builder
         * @throws IllegalArgumentException if a node is of another graph, or if that closes a cycle, which is named
         * @throws IllegalStateException if the graph was started, or the thread is the wrong one
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
         * Makes the graph and starts it ({@code doca_graph_create}, {@code doca_graph_set_conf}, {@code doca_graph_start}).
         * A builder does so once.
         *
         * @throws IllegalStateException if there is no context node, a context, a sub-graph or the engine is closed, the graph
         *     was started before, if called by a user node, or if the thread is the wrong one
         * @throws ContextNotRunningException if a context is not running
         * @throws DocaException if the SDK refuses
         * @throws DocaFunctionException if the loaded SDK has no graphs
         */
        public Graph start() {
            checkNotStarted();
            if (contexts(plan).isEmpty()) {
                throw new IllegalStateException("A graph needs a context node, and this one has none among its "
                        + plan.nodes().size() + " nodes");
            }
            contexts(plan).forEach(EngineContext::checkRunningNow);
            subGraphs(plan).map(Graph::core).forEach(GraphCore::checkUsable);
            Graph graph = new Graph(this);
            started = true;
            return graph;
        }

        private ContextNode addContext(@Nullable String name, Context context) {
            checkNotStarted();
            EngineContext core = GraphCore.find(engine, Objects.requireNonNull(context, "context"));
            if (core == null) {
                throw new IllegalArgumentException(
                        "A node is of an open context of the graph's engine, and not of the " + context);
            }
            return add(new ContextNode(plan, plan.nodes().size(), name, core));
        }

        private <T> UserNode<T> addUser(@Nullable String name, NodeAction<? super T> action) {
            checkNotStarted();
            return add(new UserNode<>(plan, plan.nodes().size(), name, Objects.requireNonNull(action, "action")));
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
            graph.core.checkUsable();
            return add(new SubGraphNode(plan, plan.nodes().size(), name, graph));
        }

        private <N extends GraphNode> N add(N node) {
            plan.add(node);
            return node;
        }

        private void checkNotStarted() {
            GraphCore.checkUsable(engine);
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
