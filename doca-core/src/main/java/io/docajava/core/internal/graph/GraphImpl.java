/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.graph;

import io.docajava.core.DocaError;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.graph.Graph;
import io.docajava.core.graph.GraphBuilder;
import io.docajava.core.graph.GraphNode;
import io.docajava.core.internal.context.AbstractContext;
import io.docajava.core.internal.engine.GraphCore;
import io.docajava.core.progress.ProgressEngine;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The implementation of {@link Graph}. */
public final class GraphImpl implements Graph {

    static final int MAX_INSTANCES = 65536;
    /** Bounds the recursion through nested graphs and instances. */
    static final int MAX_DEPTH = 256;
    /** Bounds the memory and the time that a graph of graphs takes, since the nodes of sub-graphs are repeated in it. */
    static final int MAX_NODES = 65536;

    private final ProgressEngine engine;
    private final Plan plan;
    /** The depth of nested graphs, including this one. */
    private final int depth;

    private final List<AbstractContext> allContexts;
    private final int[] order;
    private final List<BitSet> ancestors;
    private final int[][] newlyVisible;
    private final int maxInstances;
    private final GraphCore core;
    private final NativeGraph graph;
    /** The open instances, by their numbers. */
    private final @Nullable GraphInstanceImpl[] instances;

    private final ArrayDeque<Integer> freeIndices = new ArrayDeque<>();

    GraphImpl(ProgressEngine engine, Plan plan, int maxInstances) {
        this.engine = engine;
        this.plan = plan;
        this.maxInstances = maxInstances;
        depth = 1 + subGraphs(plan).mapToInt(graph -> graph.depth).max().orElse(0);
        allContexts = allContexts(plan).toList();
        order = plan.order();
        ancestors = plan.ancestors(order);
        newlyVisible = plan.newlyVisible(order);
        instances = new GraphInstanceImpl[maxInstances];
        for (int i = 0; i < maxInstances; i++) {
            freeIndices.add(i);
        }
        core = new GraphCore(
                this,
                description(plan),
                engine,
                contexts(plan),
                subGraphs(plan).map(GraphImpl::core).toList(),
                maxInstances,
                new Callbacks());
        try {
            graph = new NativeGraph(core, plan, order, maxInstances, this::runUserNode);
        } catch (Throwable failure) {
            core.end();
            throw failure;
        }
    }

    public static GraphBuilder builder(ProgressEngine engine) {
        return new GraphBuilderImpl(engine);
    }

    @Override
    public int size() {
        return plan.nodes().size();
    }

    @Override
    public int maxInstances() {
        return maxInstances;
    }

    @Override
    public GraphInstanceImpl instance() {
        core.checkUsable();
        core.engine().refuseInUserNode("make an instance of a graph");
        Integer number = freeIndices.peek();
        if (number == null) {
            throw new ResourceExhaustedException(this + " has " + maxInstances
                    + " instances, as many as it can: close one, or raise maxInstances()");
        }
        GraphInstanceImpl instance = new GraphInstanceImpl(this, number);
        freeIndices.remove();
        instances[number] = instance;
        return instance;
    }

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

    /** Returns how many graphs are within one another, including this one. */
    int depth() {
        return depth;
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
        if (!NodeImpl.isOf(node, plan)) {
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
            return openInstances().anyMatch(GraphInstanceImpl::isRunning);
        }

        @Override
        public void close() {
            openInstances().toList().forEach(GraphInstanceImpl::close);
            GraphImpl.this.close();
        }

        private Stream<GraphInstanceImpl> openInstances() {
            return Arrays.stream(instances).filter(Objects::nonNull);
        }
    }

    private static String description(Plan plan) {
        int size = plan.nodes().size();
        return size == 1 ? "Graph of 1 node" : "Graph of " + size + " nodes";
    }

    private static List<AbstractContext> contexts(Plan plan) {
        return nodes(plan, ContextNodeImpl.class)
                .map(ContextNodeImpl::context)
                .distinct()
                .toList();
    }

    /** Returns the contexts of a plan and of its sub-graphs. */
    static Stream<AbstractContext> allContexts(Plan plan) {
        return Stream.concat(contexts(plan).stream(), subGraphs(plan).flatMap(graph -> graph.allContexts.stream()))
                .distinct();
    }

    static Stream<GraphImpl> subGraphs(Plan plan) {
        return nodes(plan, SubGraphNodeImpl.class).map(SubGraphNodeImpl::graph).distinct();
    }

    private static <N extends GraphNode> Stream<N> nodes(Plan plan, Class<N> type) {
        return plan.nodes().stream().filter(type::isInstance).map(type::cast);
    }
}
