/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.graph;

import io.docajava.core.graph.SubGraphNode;
import org.jspecify.annotations.Nullable;

/** The implementation of {@link SubGraphNode}. */
public final class SubGraphNodeImpl extends NodeImpl implements SubGraphNode {

    private final GraphImpl graph;

    SubGraphNodeImpl(Plan plan, int index, @Nullable String name, GraphImpl graph) {
        super(plan, index, name);
        this.graph = graph;
    }

    GraphImpl graph() {
        return graph;
    }
}
