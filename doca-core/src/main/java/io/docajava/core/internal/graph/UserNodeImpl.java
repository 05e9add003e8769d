/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.graph;

import io.docajava.core.graph.NodeAction;
import io.docajava.core.graph.UserNode;
import org.jspecify.annotations.Nullable;

/** The implementation of {@link UserNode}. */
public final class UserNodeImpl<T> extends NodeImpl implements UserNode<T> {

    private final NodeAction<? super T> action;

    UserNodeImpl(Plan plan, int index, @Nullable String name, NodeAction<? super T> action) {
        super(plan, index, name);
        this.action = action;
    }

    /** Runs the code with data of type T, or null. */
    @SuppressWarnings({"unchecked", "NullAway"}) // set for a node of this type only, and null if the user set none
    void run(@Nullable Object data) throws Exception {
        action.run((T) data);
    }
}
