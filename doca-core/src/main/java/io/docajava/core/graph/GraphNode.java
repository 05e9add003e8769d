/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.graph;

import org.jspecify.annotations.Nullable;

/** A node of a graph ({@code struct doca_graph_node}), created by a {@link Graph.Builder}. */
public abstract sealed class GraphNode permits ContextNode, UserNode, SubGraphNode {

    private final Plan plan;
    private final int index;
    private final @Nullable String name;

    GraphNode(Plan plan, int index, @Nullable String name) {
        this.plan = plan;
        this.index = index;
        this.name = name;
    }

    /** {@return the number of this node, counted from 0 in the order in which nodes were added to the graph} */
    public int index() {
        return index;
    }

    boolean isOf(Plan other) {
        return plan.equals(other);
    }

    /** {@return the number and the name, if any, such as {@code node 2 "compare"}} */
    @Override
    public String toString() {
        return name == null ? "node " + index : "node " + index + " \"" + name + "\"";
    }
}
