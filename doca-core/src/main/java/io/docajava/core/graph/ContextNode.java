/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.graph;

import io.docajava.core.context.GraphTask;
import io.docajava.core.internal.graph.ContextNodeImpl;

/** A node that runs a task of a context. Each instance sets the task by {@link GraphInstance#set(ContextNode, GraphTask)}. */
public sealed interface ContextNode extends GraphNode permits ContextNodeImpl {}
