/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.graph;

import org.jspecify.annotations.Nullable;

/**
 * A node that runs code of the program.
 *
 * @param <T> the type of the data that an instance has for the node
 */
public final class UserNode<T> extends GraphNode {

    private final NodeAction<? super T> action;

    UserNode(Plan plan, int index, @Nullable String name, NodeAction<? super T> action) {
        super(plan, index, name);
        this.action = action;
    }

    /** Runs the code with data of type T, or null. */
    @SuppressWarnings({"unchecked", "NullAway"}) // set for a node of this type only, and null if the user set none
    void run(@Nullable Object data) throws Exception {
        action.run((T) data);
    }
}
