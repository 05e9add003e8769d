/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.graph;

import io.docajava.core.DocaError;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.graph.ContextNode;
import io.docajava.core.graph.GraphFailedException;
import io.docajava.core.graph.GraphInstance;
import io.docajava.core.graph.GraphNode;
import io.docajava.core.graph.SubGraphNode;
import io.docajava.core.graph.UserNode;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.context.AbstractTask;
import io.docajava.core.internal.context.AbstractTask.Result;
import io.docajava.core.internal.engine.OperationCompletion;
import io.docajava.core.internal.log.Throwables;
import io.docajava.core.internal.memory.BufferUses;
import io.docajava.core.progress.Completion;
import io.docajava.ffi.hot.TaskCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One run of an instance, including the instances of its sub-graphs: holds the tasks during the run, and ends the run. */
final class GraphRun {

    private static final String FUNCTION = "doca_graph_instance_submit";

    private final GraphInstanceImpl root;
    private final Completion<GraphInstance> completion;
    private final List<GraphInstanceImpl> instances = new ArrayList<>();
    /** The context nodes and user nodes by their positions in the native graph. */
    private final List<Place> places = new ArrayList<>();
    /** The tasks, each after those that it depends on. */
    private final List<Step> steps = new ArrayList<>();

    /** The native tasks of the steps as the run began; the end of a connection takes a task away. */
    private long[] nativeTasks = {};

    /** The number of steps whose tasks are reserved for the run. */
    private int lent;

    private final BufferUses uses = new BufferUses(new StepOrder());

    /** The exception of a user node, and that node. */
    private @Nullable Throwable thrown;

    private @Nullable GraphNode failedNode;

    private record Place(GraphInstanceImpl instance, int node) {}

    private record Step(GraphInstanceImpl instance, int node, int position, AbstractTask<?> task) {

        boolean isVisible() {
            return instance.isVisible(node);
        }

        boolean hasFailed() {
            DocaError status = DocaError.of(TaskCalls.status(task.nativeTask()));
            return status != DocaError.SUCCESS && status != DocaError.IN_PROGRESS;
        }

        @Override
        public String toString() {
            return instance.graph().nodes().get(node).toString();
        }
    }

    private GraphRun(GraphInstanceImpl root) {
        this.root = root;
        this.completion = new OperationCompletion<>(root.graph().engine());
    }

    /** Reserves all instances and tasks of a run, or none. */
    static GraphRun prepare(GraphInstanceImpl root) {
        GraphRun run = new GraphRun(root);
        try {
            run.collect(root);
            run.lend();
        } catch (Throwable failure) {
            run.cancel();
            throw failure;
        }
        return run;
    }

    /** Returns whether this is the run of an instance by itself, and not as a part of another one. */
    boolean isOf(GraphInstanceImpl instance) {
        return instance.equals(root);
    }

    Completion<GraphInstance> completion() {
        return completion;
    }

    private void collect(GraphInstanceImpl instance) {
        instance.join(this);
        instances.add(instance);
        for (int number : instance.graph().order()) {
            GraphNode node = instance.graph().nodes().get(number);
            Object work = instance.work(number);
            if (work == null && !(node instanceof UserNode)) {
                throw new IllegalStateException("The " + node + " of " + instance + " has no "
                        + (node instanceof ContextNode ? "task" : "instance of its sub-graph")
                        + ": set one before submit()");
            }
            if (node instanceof SubGraphNode && work instanceof GraphInstanceImpl part) {
                collect(part);
                continue;
            }
            if (node instanceof ContextNode && work instanceof AbstractTask<?> task) {
                steps.add(new Step(instance, number, places.size(), task));
            }
            places.add(new Place(instance, number));
        }
    }

    private void lend() {
        for (Step step : steps) {
            uses.begin(lent);
            step.task.lend(uses, this::abandoned);
            lent++;
            root.setNativeTask(step.position, step.task);
        }
        nativeTasks = steps.stream().mapToLong(step -> step.task.nativeTask()).toArray();
        uses.noted();
    }

    /** Releases everything that was reserved, since the run does not begin. The instances can be used again in any case. */
    void cancel() {
        try {
            takeBack(Result.NOT_BEGUN);
        } finally {
            leave();
        }
    }

    private void takeBack(Result result) {
        uses.release(true);
        steps.subList(0, lent).forEach(step -> step.task.takeBack(result, null));
    }

    private void leave() {
        instances.forEach(GraphInstanceImpl::leave);
    }

    int runUserNode(int position) {
        Place place = places.get(position);
        return place.instance.runUserNode(place.node);
    }

    /** Records the failure of a user node. A run has no second one, as {@link #hasThrown()} keeps other user nodes from running. */
    void userNodeFailed(GraphNode node, Throwable failure) {
        thrown = failure;
        failedNode = node;
    }

    /** Returns whether a user node has failed. Then no other user node runs; the SDK itself ignores the results of user nodes. */
    boolean hasThrown() {
        return thrown != null;
    }

    /** Ends the run, as reported by the SDK. */
    void ended(boolean succeeded) {
        if (succeeded && thrown == null) {
            root.makeAllVisible();
            takeBack(Result.SUCCEEDED);
            leave();
            completion.complete(root);
        } else {
            GraphFailedException failure = fail();
            leave();
            completion.completeExceptionally(failure);
        }
    }

    /** Releases the tasks and finds the one that failed. */
    private GraphFailedException fail() {
        Step rootCause = null;
        TaskFailedException reason = null;
        for (Step step : steps) {
            if (rootCause == null && !step.isVisible() && step.hasFailed()) {
                rootCause = step;
                reason = step.task.failure(TaskCalls.status(step.task.nativeTask()));
            }
        }
        uses.release(false);
        for (Step step : steps) {
            if (step.equals(rootCause)) {
                step.task.takeBack(Result.FAILED, reason);
            } else {
                step.task.takeBack(step.isVisible() ? Result.SUCCEEDED : Result.UNKNOWN, null);
            }
        }
        return failure(rootCause, reason);
    }

    private GraphFailedException failure(@Nullable Step rootCause, @Nullable TaskFailedException reason) {
        if (thrown != null && failedNode != null) {
            GraphFailedException failure = new GraphFailedException(
                    root + " failed at " + failedNode + ": " + Throwables.describe(thrown),
                    DocaError.UNEXPECTED.code(),
                    FUNCTION,
                    failedNode,
                    thrown);
            if (reason != null) {
                failure.addSuppressed(reason);
            }
            return failure;
        }
        if (rootCause != null && reason != null) {
            return new GraphFailedException(
                    root + " failed at " + rootCause + ": " + reason.getMessage(),
                    reason.code(),
                    reason.function(),
                    rootCause.instance.graph().nodes().get(rootCause.node),
                    reason);
        }
        return new GraphFailedException(unknownReason(), DocaError.UNEXPECTED.code(), FUNCTION, null, null);
    }

    /**
     * Describes a failure without a failed task. A task that was not submitted has no status; usually its context is not running.
     */
    private String unknownReason() {
        List<String> reasons = root.graph().core().engine().delivery().reasonsOrHint(nativeTasks);
        return Calls.message(DocaError.UNEXPECTED.code(), FUNCTION, "running " + root, reasons)
                + steps.stream()
                        .map(step -> step.task.context().life().whyNotRunningNow())
                        .flatMap(Optional::stream)
                        .findFirst()
                        .map(why -> ". The " + why)
                        .orElse("");
    }

    /** Fails the completion after a context was abandoned, since the end of its task will not be reported. */
    private void abandoned(TaskFailedException failure) {
        completion.completeExceptionally(new GraphFailedException(
                root + " was given up: " + failure.getMessage(), failure.code(), failure.function(), null, failure));
    }

    /**
     * The order of tasks of one instance is that of its graph; the order of tasks of different instances is that of the nodes
     * that contain them.
     */
    private final class StepOrder implements BufferUses.Order {

        @Override
        public boolean isBefore(int earlier, int later) {
            Step second = steps.get(later);
            for (GraphInstanceImpl around = second.instance; around != null; around = around.parent()) {
                int before = nodeIn(around, steps.get(earlier));
                int after = nodeIn(around, second);
                if (before >= 0 && before != after) {
                    return around.graph().isBefore(before, after);
                }
            }
            return false;
        }

        /** Returns the node of an instance that contains a step, or -1. */
        private static int nodeIn(GraphInstanceImpl around, Step step) {
            GraphInstanceImpl instance = step.instance;
            int node = step.node;
            while (instance != around) {
                GraphInstanceImpl parent = instance.parent();
                if (parent == null) {
                    return -1;
                }
                node = instance.containerNode();
                instance = parent;
            }
            return node;
        }

        @Override
        public String describe(int task) {
            return steps.get(task).toString();
        }
    }
}
