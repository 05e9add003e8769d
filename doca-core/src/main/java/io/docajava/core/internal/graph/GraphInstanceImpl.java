/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.graph;

import io.docajava.core.DocaError;
import io.docajava.core.context.GraphTask;
import io.docajava.core.graph.ContextNode;
import io.docajava.core.graph.GraphInstance;
import io.docajava.core.graph.GraphNode;
import io.docajava.core.graph.SubGraphNode;
import io.docajava.core.graph.UserNode;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.context.AbstractContext;
import io.docajava.core.internal.context.AbstractTask;
import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.core.progress.Completion;
import io.docajava.ffi.generated.common.DocaCommon;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The implementation of {@link GraphInstance}. */
public final class GraphInstanceImpl implements GraphInstance {

    private static final int SUCCESS = 0;

    private final GraphImpl graph;
    private final int number;
    private final Resource resource;
    private final MemorySegment instance;
    /** For each node a {@link AbstractTask}, the data of a user node, or an instance of a sub-graph. */
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
    private @Nullable GraphInstanceImpl container;

    private int containerNode;

    GraphInstanceImpl(GraphImpl graph, int number) {
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

    @Override
    public GraphInstanceImpl set(ContextNode node, GraphTask task) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(task, "task");
        checkIdle("change");
        graph.checkOwn(node);
        AbstractTask<?> inside = AbstractTask.of(task);
        AbstractContext context = ((ContextNodeImpl) node).context();
        if (!inside.context().equals(context)) {
            throw new IllegalArgumentException("The " + node + " is of the " + context.description()
                    + ", and the task of " + other(inside, context));
        }
        work[node.index()] = inside;
        return this;
    }

    private static String other(AbstractTask<?> task, AbstractContext expected) {
        String description = task.context().description();
        return description.equals(expected.description()) ? "another one on that device" : "the " + description;
    }

    @Override
    public <T> GraphInstanceImpl set(UserNode<T> node, T data) {
        Objects.requireNonNull(node, "node");
        checkIdle("change");
        graph.checkOwn(node);
        work[node.index()] = Objects.requireNonNull(data, "data");
        return this;
    }

    @Override
    public GraphInstanceImpl set(SubGraphNode node, GraphInstance subGraphInstance) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(subGraphInstance, "subGraphInstance");
        checkIdle("change");
        graph.checkOwn(node);
        GraphInstanceImpl part = (GraphInstanceImpl) subGraphInstance;
        if (!part.graph.equals(((SubGraphNodeImpl) node).graph())) {
            throw new IllegalArgumentException("The " + node + " runs instances of its own sub-graph, and not " + part);
        }
        part.resource.checkOpen();
        if (part == work[node.index()]) {
            return this;
        }
        GraphInstanceImpl other = part.openContainer();
        if (other != null) {
            throw new IllegalStateException(part + " is set for the "
                    + other.graph.nodes().get(part.containerNode) + " of " + other
                    + ", and can be a part of nothing else: make another instance");
        }
        part.container = this;
        part.containerNode = node.index();
        work[node.index()] = part;
        return this;
    }

    /** Returns the open instance that this one is set for; null if there is none. */
    private @Nullable GraphInstanceImpl openContainer() {
        GraphInstanceImpl around = container;
        return around != null && around.work[containerNode] == this && around.resource.state() != Resource.State.CLOSED
                ? around
                : null;
    }

    /** Refuses to close an instance that is set in an open instance, which would run it. */
    private void refuseAsPart() {
        GraphInstanceImpl around = openContainer();
        if (around != null) {
            throw new IllegalStateException("Cannot close " + this + ", which the "
                    + around.graph.nodes().get(containerNode) + " of " + around
                    + " runs: close that first, or set another instance");
        }
    }

    @Override
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

    @Override
    public boolean isRunning() {
        graph.core().checkThread();
        return run != null;
    }

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

    GraphImpl graph() {
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
    GraphInstanceImpl parent() {
        return run == null || run.isOf(this) ? null : container;
    }

    int containerNode() {
        return containerNode;
    }

    /** Passes the native task at a position in the native graph to the SDK, unless it has not changed. */
    void setNativeTask(int position, AbstractTask<?> task) {
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
        if (done instanceof AbstractTask<?> task) {
            task.collectResult();
        } else if (done instanceof GraphInstanceImpl part) {
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
        GraphInstanceImpl parent = parent();
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
        UserNodeImpl<?> node = (UserNodeImpl<?>) graph.nodes().get(number);
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
