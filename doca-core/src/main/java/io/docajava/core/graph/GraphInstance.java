/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.graph;

import io.docajava.DocaException;
import io.docajava.core.DocaError;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.GraphTask;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.context.PreparedOperation;
import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.core.progress.Completion;
import io.docajava.ffi.generated.common.DocaCommon;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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
 * <p>An instance belongs to the thread of its graph's engine.
 */
@SuppressWarnings("ReferenceEquality") // the same instance
public final class GraphInstance implements AutoCloseable {

    private static final int SUCCESS = 0;

    private final Graph graph;
    private final int number;
    private final Resource resource;
    private final MemorySegment instance;
    /** For each node a {@link PreparedOperation}, the data of a user node, or an instance of a sub-graph. */
    private final @Nullable Object[] work;
    /**
     * For each position in the native graph the user data of the native task that was passed to the SDK. Its address may be that of
     * a freed task.
     */
    private final long[] passed;
    /** The nodes whose success is visible to user code in this run. */
    private final boolean[] visible;

    private @Nullable GraphRun run;
    /** The instance that this one was last set for; null if it was not set yet. */
    private @Nullable GraphInstance container;

    private int containerNode;

    GraphInstance(Graph graph, int number) {
        this.graph = graph;
        this.number = number;
        int size = graph.size();
        work = new Object[size];
        passed = new long[graph.nativeGraph().size()];
        visible = new boolean[size];
        String description = "GraphInstance " + number + " of the " + graph;
        resource = Resource.open(this, description, graph.core().resource());
        try {
            instance = graph.nativeGraph().createInstance(number, "making " + description);
        } catch (Throwable failure) {
            resource.discard();
            throw failure;
        }
    }

    /**
     * Sets the task that a node runs ({@code doca_graph_instance_set_ctx_node_data}). Its arguments may be changed between runs.
     *
     * @param node of this instance's graph
     * @param task of the node's context; it still belongs to the caller, who may close it while the instance does not run
     * @return this instance
     * @throws IllegalArgumentException if the node is of another graph, or the task of another context than the node
     * @throws IllegalStateException if the instance runs or is closed, or the calling thread is not the engine's
     */
    public GraphInstance set(ContextNode node, GraphTask task) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(task, "task");
        checkIdle("change");
        graph.checkOwn(node);
        PreparedOperation<?> inside = PreparedOperation.of(task);
        if (!inside.core().equals(node.context())) {
            throw new IllegalArgumentException("The " + node + " is of the "
                    + node.context().description() + ", and the task of " + other(inside, node));
        }
        work[node.index()] = inside;
        return this;
    }

    private static String other(PreparedOperation<?> task, ContextNode node) {
        String description = task.core().description();
        return description.equals(node.context().description()) ? "another one on that device" : "the " + description;
    }

    /**
     * Sets the data that is passed to the code of a user node.
     *
     * @param <T> the type of the node's data
     * @param node of this instance's graph
     * @param data not null; the node gets this object in each run
     * @return this instance
     * @throws IllegalArgumentException if the node is of another graph
     * @throws IllegalStateException if the instance runs or is closed, or the calling thread is not the engine's
     */
    public <T> GraphInstance set(UserNode<T> node, T data) {
        Objects.requireNonNull(node, "node");
        checkIdle("change");
        graph.checkOwn(node);
        work[node.index()] = Objects.requireNonNull(data, "data");
        return this;
    }

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
     *     another node or in another open instance; or if the calling thread is not the engine's
     */
    public GraphInstance set(SubGraphNode node, GraphInstance subGraphInstance) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(subGraphInstance, "subGraphInstance");
        checkIdle("change");
        graph.checkOwn(node);
        if (!subGraphInstance.graph.equals(node.graph())) {
            throw new IllegalArgumentException(
                    "The " + node + " runs instances of its own sub-graph, and not " + subGraphInstance);
        }
        subGraphInstance.resource.checkOpen();
        if (subGraphInstance == work[node.index()]) {
            return this;
        }
        GraphInstance other = subGraphInstance.openContainer();
        if (other != null) {
            throw new IllegalStateException(subGraphInstance + " is set for the "
                    + other.graph.nodes().get(subGraphInstance.containerNode) + " of " + other
                    + ", and can be a part of nothing else: make another instance");
        }
        subGraphInstance.container = this;
        subGraphInstance.containerNode = node.index();
        work[node.index()] = subGraphInstance;
        return this;
    }

    /** Returns the open instance that this one is set for; null if there is none. */
    private @Nullable GraphInstance openContainer() {
        GraphInstance around = container;
        return around != null && around.work[containerNode] == this && around.resource.state() != Resource.State.CLOSED
                ? around
                : null;
    }

    /** Refuses to close an instance that is set in an open instance, which would run it. */
    private void refuseAsPart() {
        GraphInstance around = openContainer();
        if (around != null) {
            throw new IllegalStateException("Cannot close " + this + ", which the "
                    + around.graph.nodes().get(containerNode) + " of " + around
                    + " runs: close that first, or set another instance");
        }
    }

    /**
     * Runs the instance ({@code doca_graph_instance_submit}). It can be submitted again after the future has completed.
     *
     * @return a future of this instance, which fails with a {@link GraphFailedException}
     * @throws IllegalArgumentException if the arguments of a task are wrong, or tasks that do not depend on one another use the
     *     same buffer in conflicting ways
     * @throws IllegalStateException if the instance runs or is closed; if a context node has no task or a sub-graph node no
     *     instance; if a task is in flight or closed, or a buffer cannot be used; if called by a user node; or if the calling
     *     thread is not the engine's
     * @throws ContextNotRunningException if a context is not running
     * @throws DocaException if the SDK refuses; then nothing runs
     */
    public Completion<GraphInstance> submit() {
        checkIdle("submit");
        graph.core().engine().refuseInUserNode("submit an instance of a graph");
        GraphRun newRun = GraphRun.prepare(this);
        try {
            Calls.check(
                    DocaCommon.doca_graph_instance_submit(instance),
                    "doca_graph_instance_submit",
                    "submitting " + this);
        } catch (Throwable failure) {
            newRun.cancel();
            throw failure;
        }
        return newRun.completion();
    }

    /** {@return whether this instance runs, by itself or as a part of another instance} Only the engine's thread may call. */
    public boolean isRunning() {
        graph.core().checkThread();
        return run != null;
    }

    /**
     * Destroys the instance ({@code doca_graph_instance_destroy}). Its tasks and sub-graph instances stay open. A second call
     * does nothing.
     *
     * @throws IllegalStateException if it runs or is set for a node of an open instance; if called by a user node; or if the
     *     calling thread is not the engine's
     * @throws DocaException if the SDK refuses; the instance stays open
     */
    @Override
    public void close() {
        graph.core().checkThreadToClose();
        if (resource.state() == Resource.State.CLOSED) {
            return;
        }
        checkIdle("close");
        graph.core().engine().refuseInUserNode("close an instance of a graph");
        refuseAsPart();
        resource.close(() -> Calls.check(
                DocaCommon.doca_graph_instance_destroy(instance), "doca_graph_instance_destroy", "closing " + this));
        graph.forget(number);
    }

    @Override
    public String toString() {
        return resource.description();
    }

    private void checkIdle(String purpose) {
        graph.core().checkUsable();
        resource.checkOpen();
        if (run != null) {
            throw new IllegalStateException(
                    "Cannot " + purpose + " " + this + ", which runs: progress until it has ended");
        }
    }

    Graph graph() {
        return graph;
    }

    @Nullable
    Object work(int node) {
        return work[node];
    }

    /** Joins a run, by itself or as the instance of a node of its container. */
    void join(GraphRun newRun) {
        checkIdle("submit");
        run = newRun;
        Arrays.fill(visible, false);
    }

    /** Leaves a run that has ended or did not begin. */
    void leave() {
        run = null;
    }

    /** Returns the instance whose run includes this one at the {@link #containerNode()}; null if this instance runs by itself. */
    @Nullable
    GraphInstance parent() {
        return run == null || run.isOf(this) ? null : container;
    }

    int containerNode() {
        return containerNode;
    }

    /** Passes the native task at a position in the native graph to the SDK, unless it has not changed. */
    void setNativeTask(int position, PreparedOperation<?> task) {
        if (passed[position] != task.userData()) {
            graph.nativeGraph().setTask(instance, position, task.nativeTask(), "submitting " + this);
            passed[position] = task.userData();
        }
    }

    boolean isVisible(int node) {
        return visible[node];
    }

    /**
     * Makes the success of a node visible to user code: extends the destination of its task, or of all tasks of its sub-graph.
     */
    private void makeVisible(int node) {
        if (visible[node]) {
            return;
        }
        visible[node] = true;
        Object done = work[node];
        if (done instanceof PreparedOperation<?> task) {
            task.collectResult();
        } else if (done instanceof GraphInstance part) {
            part.makeAllVisible();
        }
    }

    /** Makes the success of all nodes visible. */
    void makeAllVisible() {
        for (GraphNode node : graph.nodes()) {
            if (!(node instanceof UserNode)) {
                makeVisible(node.index());
            }
        }
    }

    /** Makes the nodes visible that succeeded before a node began, in this instance and in the instances that contain it. */
    private void makePredecessorsVisible(int node) {
        for (int before : graph.newlyVisible(node)) {
            makeVisible(before);
        }
        GraphInstance parent = parent();
        if (parent != null) {
            parent.makePredecessorsVisible(containerNode);
        }
    }

    /** Runs the user node at a position in the native graph, which may be a node of a part. */
    int runUserNodeAt(int position) {
        return Objects.requireNonNull(run).runUserNode(position);
    }

    /** Runs a user node inside native progress. Must not throw: an exception would end the process. */
    int runUserNode(int number) {
        UserNode<?> node = (UserNode<?>) graph.nodes().get(number);
        GraphRun current = Objects.requireNonNull(run);
        if (current.hasThrown()) {
            return DocaError.UNEXPECTED.code();
        }
        try {
            makePredecessorsVisible(number);
            node.run(work[number]);
            return SUCCESS;
        } catch (Throwable thrown) {
            if (thrown instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            current.userNodeFailed(node, thrown);
            return DocaError.UNEXPECTED.code();
        }
    }

    /** Ends the run of this instance, which is not a part of another one. The engine calls this after progress. */
    void ended(boolean succeeded) {
        Objects.requireNonNull(run).ended(succeeded);
    }
}
