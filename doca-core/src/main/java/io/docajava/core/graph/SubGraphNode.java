/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.graph;

import io.docajava.core.internal.graph.SubGraphNodeImpl;

/** A node that runs an instance of another graph, set by {@link GraphInstance#set(SubGraphNode, GraphInstance)}. */
public sealed interface SubGraphNode extends GraphNode permits SubGraphNodeImpl {}
