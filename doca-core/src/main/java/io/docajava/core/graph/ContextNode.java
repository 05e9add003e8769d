/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.graph;

import io.docajava.core.context.GraphTask;
import io.docajava.core.internal.context.ContextCore;
import org.jspecify.annotations.Nullable;

/** A node that runs a task of a context. Each instance sets the task by {@link GraphInstance#set(ContextNode, GraphTask)}. */
public final class ContextNode extends GraphNode {

    private final ContextCore context;

    ContextNode(Plan plan, int index, @Nullable String name, ContextCore context) {
        super(plan, index, name);
        this.context = context;
    }

    ContextCore context() {
        return context;
    }
}
