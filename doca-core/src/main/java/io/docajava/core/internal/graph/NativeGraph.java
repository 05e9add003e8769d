/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.graph;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.core.DocaError;
import io.docajava.core.graph.GraphNode;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.engine.GraphCore;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.internal.UserNodeUpcall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntBinaryOperator;

/**
 * A started {@code struct doca_graph}, its nodes, and the callback that its user nodes share. It contains the nodes of its
 * sub-graphs themselves, and no sub-graph nodes: DOCA never ends the run of a graph whose sub-graph has failed.
 *
 * <p>A position is the number of a context node or a user node among those of the graph and its sub-graphs, in the order of {@link
 * GraphImpl#order()}, where the nodes of a sub-graph take the place of its node.
 */
final class NativeGraph {

    /** The user data of a node that only waits for others. It differs from all results of {@link #cookie}. */
    private static final MemorySegment BARRIER = MemorySegment.ofAddress(1);

    /** Not confined: another thread may take over the graph of a thread that has ended. */
    private final Arena arena;

    private final MemorySegment out;
    private final String attempt;
    private final MemorySegment graph;
    private boolean isStopped;
    private final MemorySegment callback;
    /** The context nodes and user nodes by their positions. */
    private final List<MemorySegment> nodes = new ArrayList<>();
    /** The positions of the user nodes. */
    private final List<Integer> userNodes = new ArrayList<>();
    /** The nodes between sub-graphs that only wait for others. */
    private final List<MemorySegment> barriers = new ArrayList<>();

    /**
     * Creates and starts a graph, or destroys it if that fails.
     *
     * @param order the numbers of all nodes of the plan, each after the nodes that it depends on
     * @param code runs a user node, given the number of the instance and the position of the node, and returns a {@code
     *     doca_error_t}; must not throw
     */
    NativeGraph(GraphCore core, Plan plan, int[] order, int instances, IntBinaryOperator code) {
        attempt = "starting the " + core.resource().description();
        MemorySegment created = null;
        arena = Arena.ofShared();
        try {
            out = arena.allocate(JAVA_LONG);
            Calls.prepare(
                    DocaCommon.doca_graph_stop$handle(),
                    DocaCommon.doca_graph_destroy$handle(),
                    DocaCommon.doca_graph_instance_destroy$handle());
            Calls.check(DocaCommon.doca_graph_create(core.engine().nativeEngine(), out), "doca_graph_create", attempt);
            created = result();
            graph = created;
            callback = callback(code);
            add(plan, order);
            configure(core, instances);
            Calls.check(DocaCommon.doca_graph_start(graph), "doca_graph_start", attempt);
        } catch (Throwable failure) {
            if (created != null) {
                DocaCommon.doca_graph_destroy(created);
                Calls.discardErrors();
            }
            arena.close();
            throw failure;
        }
    }

    private MemorySegment callback(IntBinaryOperator code) {
        return UserNodeUpcall.create(
                cookie -> cookie == BARRIER.address()
                        ? DocaError.SUCCESS.code()
                        : code.applyAsInt((int) (cookie >>> Integer.SIZE) - 1, (int) cookie),
                DocaError.UNEXPECTED.code(),
                arena);
    }

    /** Identifies a user node and an instance; never NULL, which the SDK refuses. */
    private static MemorySegment cookie(int instance, int position) {
        return MemorySegment.ofAddress((instance + 1L) << Integer.SIZE | position);
    }

    /** The native nodes of a plan, or of one of its nodes, that begin first, and those that nothing in it depends on. */
    private record Ends(List<MemorySegment> first, List<MemorySegment> last) {}

    /** Adds the nodes of a plan and of its sub-graphs, with their dependencies. */
    private Ends add(Plan plan, int[] order) {
        Ends[] ends = new Ends[order.length];
        BitSet dependent = new BitSet();
        Ends all = new Ends(new ArrayList<>(), new ArrayList<>());
        for (int number : order) {
            GraphNode node = plan.nodes().get(number);
            ends[number] = node instanceof SubGraphNodeImpl part
                    ? add(part.graph().plan(), part.graph().order())
                    : add(node);
            plan.dependents(number).forEach(dependent::set);
        }
        for (int number : order) {
            if (!dependent.get(number)) {
                all.first.addAll(ends[number].first);
            }
            if (plan.dependents(number).isEmpty()) {
                all.last.addAll(ends[number].last);
            }
            for (int after : plan.dependents(number)) {
                addDependencies(ends[number].last, ends[after].first);
            }
        }
        return all;
    }

    /** Makes all nodes of a list depend on all those of another one, by a barrier instead of many dependencies. */
    private void addDependencies(List<MemorySegment> from, List<MemorySegment> to) {
        if (from.size() > 1 && to.size() > 1) {
            MemorySegment barrier = createUserNode();
            barriers.add(barrier);
            from.forEach(node -> addDependency(node, barrier));
            to.forEach(node -> addDependency(barrier, node));
        } else {
            from.forEach(before -> to.forEach(after -> addDependency(before, after)));
        }
    }

    private void addDependency(MemorySegment from, MemorySegment to) {
        Calls.check(DocaCommon.doca_graph_add_dependency(graph, from, to), "doca_graph_add_dependency", attempt);
    }

    private Ends add(GraphNode node) {
        MemorySegment created;
        if (node instanceof ContextNodeImpl of) {
            created = createContextNode(of);
        } else {
            created = createUserNode();
            userNodes.add(nodes.size());
        }
        nodes.add(created);
        return new Ends(List.of(created), List.of(created));
    }

    private MemorySegment createContextNode(ContextNodeImpl node) {
        Calls.check(
                DocaCommon.doca_graph_node_create_from_ctx(
                        graph, MemorySegment.ofAddress(node.context().nativeContext()), out),
                "doca_graph_node_create_from_ctx",
                attempt);
        return result();
    }

    private MemorySegment createUserNode() {
        Calls.check(
                DocaCommon.doca_graph_node_create_from_user(graph, callback, out),
                "doca_graph_node_create_from_user",
                attempt);
        return result();
    }

    private void configure(GraphCore core, int instances) {
        Calls.check(
                DocaCommon.doca_graph_set_conf(graph, core.completed(), core.failed(), instances),
                "doca_graph_set_conf",
                attempt);
        Calls.check(
                DocaCommon.doca_graph_set_user_data(graph, data(core.userData())), "doca_graph_set_user_data", attempt);
    }

    /** Creates an instance whose user nodes and callbacks are called with a number, or destroys it if that fails. */
    MemorySegment createInstance(int number, String purpose) {
        Calls.check(DocaCommon.doca_graph_instance_create(graph, out), "doca_graph_instance_create", purpose);
        MemorySegment instance = result();
        try {
            Calls.check(
                    DocaCommon.doca_graph_instance_set_user_data(instance, data(number)),
                    "doca_graph_instance_set_user_data",
                    purpose);
            userNodes.forEach(node -> setCookie(instance, nodes.get(node), cookie(number, node), purpose));
            barriers.forEach(node -> setCookie(instance, node, BARRIER, purpose));
        } catch (Throwable failure) {
            DocaCommon.doca_graph_instance_destroy(instance);
            Calls.discardErrors();
            throw failure;
        }
        return instance;
    }

    private static void setCookie(MemorySegment instance, MemorySegment node, MemorySegment cookie, String purpose) {
        Calls.check(
                DocaCommon.doca_graph_instance_set_user_node_data(instance, node, cookie),
                "doca_graph_instance_set_user_node_data",
                purpose);
    }

    /** Sets the {@code struct doca_task *} of a context node of an instance. */
    void setTask(MemorySegment instance, int position, long task, String purpose) {
        Calls.check(
                DocaCommon.doca_graph_instance_set_ctx_node_data(
                        instance, nodes.get(position), MemorySegment.ofAddress(task)),
                "doca_graph_instance_set_ctx_node_data",
                purpose);
    }

    /** Returns the number of context nodes and user nodes, including those of sub-graphs. */
    int size() {
        return nodes.size();
    }

    /** Stops the graph and destroys it. If the SDK refuses, this can be called again. */
    void close() {
        String purpose = attempt.replaceFirst("starting", "closing");
        if (!isStopped) {
            Calls.check(DocaCommon.doca_graph_stop(graph), "doca_graph_stop", purpose);
            isStopped = true;
        }
        Calls.check(DocaCommon.doca_graph_destroy(graph), "doca_graph_destroy", purpose);
        arena.close();
    }

    /** Returns a {@code union doca_data}, which the called function reads at once. */
    private MemorySegment data(long value) {
        out.set(JAVA_LONG, 0, value);
        return out;
    }

    private MemorySegment result() {
        return MemorySegment.ofAddress(out.get(JAVA_LONG, 0));
    }
}
