/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.graph;

import org.jspecify.annotations.Nullable;

/** A node that runs an instance of another graph, set by {@link GraphInstance#set(SubGraphNode, GraphInstance)}. */
public final class SubGraphNode extends GraphNode {

    private final Graph graph;

    SubGraphNode(Plan plan, int index, @Nullable String name, Graph graph) {
        super(plan, index, name);
        this.graph = graph;
    }

    Graph graph() {
        return graph;
    }
}
