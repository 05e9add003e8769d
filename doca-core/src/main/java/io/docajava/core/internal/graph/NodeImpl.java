/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.graph;

import io.docajava.core.graph.GraphNode;
import org.jspecify.annotations.Nullable;

/** What all nodes have in common. */
public abstract sealed class NodeImpl implements GraphNode permits ContextNodeImpl, UserNodeImpl, SubGraphNodeImpl {

    private final Plan plan;
    private final int index;
    private final @Nullable String name;

    NodeImpl(Plan plan, int index, @Nullable String name) {
        this.plan = plan;
        this.index = index;
        this.name = name;
    }

    @Override
    public final int index() {
        return index;
    }

    /** Returns whether a node belongs to a plan. */
    static boolean isOf(GraphNode node, Plan plan) {
        return ((NodeImpl) node).plan.equals(plan);
    }

    /** Returns the number and the name, if any, such as {@code node 2 "compare"}. */
    @Override
    public final String toString() {
        return name == null ? "node " + index : "node " + index + " \"" + name + "\"";
    }
}
