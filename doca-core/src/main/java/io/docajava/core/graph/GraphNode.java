/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.graph;

import io.docajava.core.internal.graph.NodeImpl;

/** A node of a graph ({@code struct doca_graph_node}), created by a {@link GraphBuilder}. */
public sealed interface GraphNode permits ContextNode, UserNode, SubGraphNode, NodeImpl {

    /** {@return the number of this node, counted from 0 in the order in which nodes were added to the graph} */
    int index();
}
