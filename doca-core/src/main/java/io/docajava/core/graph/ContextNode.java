/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.graph;

import io.docajava.core.internal.engine.EngineContext;
import org.jspecify.annotations.Nullable;

/** A node that runs a task of a context. Each instance sets the task by {@link GraphInstance#set(ContextNode, GraphTask)}. */
public final class ContextNode extends GraphNode {

    private final EngineContext context;

    ContextNode(Plan plan, int index, @Nullable String name, EngineContext context) {
        super(plan, index, name);
        this.context = context;
    }

    EngineContext context() {
        return context;
    }
}
