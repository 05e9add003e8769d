/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.graph;

import io.docajava.core.graph.ContextNode;
import io.docajava.core.internal.context.AbstractContext;
import org.jspecify.annotations.Nullable;

/** The implementation of {@link ContextNode}. */
public final class ContextNodeImpl extends NodeImpl implements ContextNode {

    private final AbstractContext context;

    ContextNodeImpl(Plan plan, int index, @Nullable String name, AbstractContext context) {
        super(plan, index, name);
        this.context = context;
    }

    AbstractContext context() {
        return context;
    }
}
