/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.graph;

import io.docajava.core.context.Context;
import io.docajava.core.graph.ContextNode;
import io.docajava.core.graph.Graph;
import io.docajava.core.graph.GraphBuilder;
import io.docajava.core.graph.GraphNode;
import io.docajava.core.graph.NodeAction;
import io.docajava.core.graph.SubGraphNode;
import io.docajava.core.graph.UserNode;
import io.docajava.core.internal.context.AbstractContext;
import io.docajava.core.internal.engine.EngineImpl;
import io.docajava.core.internal.engine.GraphCore;
import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.core.progress.ProgressEngine;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The implementation of {@link GraphBuilder}. */
public final class GraphBuilderImpl implements GraphBuilder {

    private final ProgressEngine engine;
    private final Plan plan = new Plan();
    private int maxInstances = 64;
    private boolean started;

    GraphBuilderImpl(ProgressEngine engine) {
        this.engine = Objects.requireNonNull(engine, "engine");
    }

    @Override
    public GraphBuilder maxInstances(int maxInstances) {
        if (maxInstances < 1 || maxInstances > GraphImpl.MAX_INSTANCES) {
            throw new IllegalArgumentException(
                    "A graph has room for 1 to " + GraphImpl.MAX_INSTANCES + " instances, and not " + maxInstances);
        }
        this.maxInstances = maxInstances;
        return this;
    }

    /** Returns the number of nodes. */
    @Override
    public String toString() {
        return "GraphBuilder with " + plan.nodes().size() + " nodes";
    }

    @Override
    public ContextNode context(Context context) {
        Objects.requireNonNull(context, "context");
        return addContext(null, context);
    }

    @Override
    public ContextNode context(String name, Context context) {
        Objects.requireNonNull(context, "context");
        return addContext(Objects.requireNonNull(name, "name"), context);
    }

    @Override
    public <T> UserNode<T> user(NodeAction<? super T> action) {
        Objects.requireNonNull(action, "action");
        return addUser(null, action);
    }

    @Override
    public <T> UserNode<T> user(String name, NodeAction<? super T> action) {
        Objects.requireNonNull(action, "action");
        return addUser(Objects.requireNonNull(name, "name"), action);
    }

    @Override
    public SubGraphNode graph(Graph graph) {
        Objects.requireNonNull(graph, "graph");
        return addGraph(null, (GraphImpl) graph);
    }

    @Override
    public SubGraphNode graph(String name, Graph graph) {
        Objects.requireNonNull(graph, "graph");
        return addGraph(Objects.requireNonNull(name, "name"), (GraphImpl) graph);
    }

    @Override
    public GraphBuilder dependency(GraphNode from, GraphNode to) {
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(to, "to");
        checkNotStarted();
        checkOwn(from);
        checkOwn(to);
        plan.addDependency(from, to);
        return this;
    }

    @Override
    public GraphImpl start() {
        checkNotStarted();
        if (plan.nodes().stream().allMatch(UserNode.class::isInstance)) {
            throw new IllegalStateException("A graph needs a node of a context or of a graph, and this one has "
                    + plan.nodes().size() + " user nodes");
        }
        GraphImpl.subGraphs(plan).map(GraphImpl::core).forEach(GraphCore::checkUsable);
        GraphImpl.allContexts(plan).forEach(AbstractContext::checkRunningNow);
        GraphImpl graph = new GraphImpl(engine, plan, maxInstances);
        started = true;
        return graph;
    }

    private ContextNode addContext(@Nullable String name, Context context) {
        checkNotStarted();
        AbstractContext core = AbstractContext.of(context);
        if (!core.engine().equals(EngineImpl.of(engine)) || core.resource().state() == Resource.State.CLOSED) {
            throw new IllegalArgumentException(
                    "A node is of an open context of the graph's engine, and not of the " + context);
        }
        return plan.add(new ContextNodeImpl(plan, plan.nodes().size(), name, core));
    }

    private <T> UserNode<T> addUser(@Nullable String name, NodeAction<? super T> action) {
        checkNotStarted();
        return plan.add(new UserNodeImpl<>(plan, plan.nodes().size(), name, action));
    }

    private SubGraphNode addGraph(@Nullable String name, GraphImpl graph) {
        checkNotStarted();
        if (!graph.engine().equals(engine)) {
            throw new IllegalArgumentException("The " + graph + " is of another engine");
        }
        if (graph.depth() == GraphImpl.MAX_DEPTH) {
            throw new IllegalArgumentException("The " + graph + " cannot be part of another graph: there are "
                    + GraphImpl.MAX_DEPTH + " within one another already, as many as there can be");
        }
        int size = plan.allNodes() + 1 + graph.plan().allNodes();
        if (size > GraphImpl.MAX_NODES) {
            throw new IllegalArgumentException("The " + graph + " cannot be part of this graph, which would have "
                    + size + " nodes, including those of its sub-graphs: it can have " + GraphImpl.MAX_NODES);
        }
        graph.core().checkUsable();
        return plan.add(new SubGraphNodeImpl(plan, plan.nodes().size(), name, graph));
    }

    private void checkNotStarted() {
        EngineImpl.of(engine).checkUsable();
        if (started) {
            throw new IllegalStateException("The graph of this builder was started");
        }
    }

    private void checkOwn(GraphNode node) {
        if (!NodeImpl.isOf(node, plan)) {
            throw new IllegalArgumentException("The " + node + " is of another graph");
        }
    }
}
