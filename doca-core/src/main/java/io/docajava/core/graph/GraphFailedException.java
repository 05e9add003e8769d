/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.graph;

import io.docajava.core.DocaCallException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An instance of a graph failed, as one of its nodes did. The cause is what the code of a user node threw, or the {@link
 * io.docajava.core.context.TaskFailedException} of a task; there is none if the SDK does not report which node it was.
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

    /** The node that failed first, perhaps one of a sub-graph; empty if it is not known. */
    public Optional<GraphNode> node() {
        return Optional.ofNullable(node);
    }
}
