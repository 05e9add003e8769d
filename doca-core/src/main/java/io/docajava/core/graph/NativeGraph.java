/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.graph;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.core.DocaError;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.engine.GraphCore;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.internal.UserNodeUpcall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.IntBinaryOperator;

/** A started {@code struct doca_graph}, its nodes, and the callback that its user nodes share. */
final class NativeGraph {

    /** Not confined: another thread may take over the graph of a thread that has ended. */
    private final Arena arena;

    private final MemorySegment out;
    private final String attempt;
    private final MemorySegment graph;
    private boolean isStopped;
    private final MemorySegment[] nodes;
    /** The numbers of the user nodes. */
    private final int[] userNodes;

    /**
     * Creates and starts a graph, or destroys it if that fails.
     *
     * @param code runs a user node, given the numbers of the instance and the node, and returns a {@code doca_error_t}; must not
     *     throw
     */
    NativeGraph(GraphCore core, Plan plan, int instances, IntBinaryOperator code) {
        attempt = "starting the " + core.resource().description();
        nodes = new MemorySegment[plan.nodes().size()];
        userNodes = plan.nodes().stream()
                .filter(UserNode.class::isInstance)
                .mapToInt(GraphNode::index)
                .toArray();
        MemorySegment created = null;
        arena = Arena.ofShared();
        try {
            out = arena.allocate(JAVA_LONG);
            Calls.check(DocaCommon.doca_graph_create(core.engine().nativeEngine(), out), "doca_graph_create", attempt);
            created = result();
            graph = created;
            MemorySegment callback = callback(code);
            plan.nodes().forEach(node -> addNode(node, callback));
            addDependencies(plan);
            configure(core, instances);
            Calls.check(DocaCommon.doca_graph_start(graph), "doca_graph_start", attempt);
        } catch (Throwable failure) {
            if (created != null) {
                DocaCommon.doca_graph_destroy(created);
                Calls.settle();
            }
            arena.close();
            throw failure;
        }
    }

    private MemorySegment callback(IntBinaryOperator code) {
        return UserNodeUpcall.create(
                cookie -> code.applyAsInt((int) (cookie >>> Integer.SIZE) - 1, (int) cookie),
                DocaError.UNEXPECTED.code(),
                arena);
    }

    /** Identifies a user node and an instance; never NULL, which the SDK refuses. */
    private static MemorySegment cookie(int instance, int node) {
        return MemorySegment.ofAddress((instance + 1L) << Integer.SIZE | node);
    }

    private void addNode(GraphNode node, MemorySegment callback) {
        switch (node) {
            case ContextNode of ->
                Calls.check(
                        DocaCommon.doca_graph_node_create_from_ctx(
                                graph, MemorySegment.ofAddress(of.context().nativeContext()), out),
                        "doca_graph_node_create_from_ctx",
                        attempt);
            case UserNode<?> any ->
                Calls.check(
                        DocaCommon.doca_graph_node_create_from_user(graph, callback, out),
                        "doca_graph_node_create_from_user",
                        attempt);
            case SubGraphNode of ->
                Calls.check(
                        DocaCommon.doca_graph_node_create_from_graph(
                                graph, of.graph().nativeGraph().graph, out),
                        "doca_graph_node_create_from_graph",
                        attempt);
        }
        nodes[node.index()] = result();
    }

    private void addDependencies(Plan plan) {
        for (int node = 0; node < nodes.length; node++) {
            for (int dependent : plan.dependents(node)) {
                Calls.check(
                        DocaCommon.doca_graph_add_dependency(graph, nodes[node], nodes[dependent]),
                        "doca_graph_add_dependency",
                        attempt);
            }
        }
    }

    private void configure(GraphCore core, int instances) {
        Calls.check(
                DocaCommon.doca_graph_set_conf(graph, core.completed(), core.failed(), instances),
                "doca_graph_set_conf",
                attempt);
        Calls.check(
                DocaCommon.doca_graph_set_user_data(graph, data(core.userData())), "doca_graph_set_user_data", attempt);
    }

    /** Creates an instance whose user nodes are called with a number, or destroys it if that fails. */
    MemorySegment createInstance(int number, String purpose) {
        Calls.check(DocaCommon.doca_graph_instance_create(graph, out), "doca_graph_instance_create", purpose);
        MemorySegment instance = result();
        try {
            for (int node : userNodes) {
                Calls.check(
                        DocaCommon.doca_graph_instance_set_user_node_data(instance, nodes[node], cookie(number, node)),
                        "doca_graph_instance_set_user_node_data",
                        purpose);
            }
        } catch (Throwable failure) {
            DocaCommon.doca_graph_instance_destroy(instance);
            Calls.settle();
            throw failure;
        }
        return instance;
    }

    /** Sets the user data of an instance, which the SDK passes to the callback of its end. */
    void setUserData(MemorySegment instance, int value, String purpose) {
        Calls.check(
                DocaCommon.doca_graph_instance_set_user_data(instance, data(value)),
                "doca_graph_instance_set_user_data",
                purpose);
    }

    /** Sets the {@code struct doca_task *} of a node of an instance. */
    void setTask(MemorySegment instance, int node, long task, String purpose) {
        Calls.check(
                DocaCommon.doca_graph_instance_set_ctx_node_data(instance, nodes[node], MemorySegment.ofAddress(task)),
                "doca_graph_instance_set_ctx_node_data",
                purpose);
    }

    /** Sets the instance of a sub-graph for a node of an instance. */
    void setInstance(MemorySegment instance, int node, MemorySegment subGraphInstance, String purpose) {
        Calls.check(
                DocaCommon.doca_graph_instance_set_sub_graph_node_data(instance, nodes[node], subGraphInstance),
                "doca_graph_instance_set_sub_graph_node_data",
                purpose);
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
