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

    /**
     * Creates an exception. Called by doca-java's modules.
     *
     * @param message the whole message
     * @param code a {@code doca_error_t}
     * @param function the name of the C function that has started the run
     * @param node that failed first; null if it is not known
     * @param cause that the node has thrown, or the failure of its task; null if there is none
     */
    public GraphFailedException(
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
