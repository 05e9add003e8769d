/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.graph;

import io.docajava.core.DocaCallException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A run of a graph instance failed because one of its nodes failed. The cause is the exception of the user node, or the {@link
 * io.docajava.core.context.TaskFailedException} of the task. There is no cause if the SDK does not report the node.
 */
public final class GraphFailedException extends DocaCallException {

    private static final long serialVersionUID = 1;

    private final transient @Nullable GraphNode node;

    GraphFailedException(
            String message, int code, String function, @Nullable GraphNode node, @Nullable Throwable cause) {
        super(message, code, function);
        this.node = node;
        if (cause != null) {
            initCause(cause);
        }
    }

    /** {@return the node that failed first, possibly of a sub-graph; empty if it is not known, or after deserialization} */
    public Optional<GraphNode> node() {
        return Optional.ofNullable(node);
    }
}
