/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.graph;

/**
 * The code of a user node. It runs on the engine's thread during progress, and delays all other work of the engine. It may read
 * and write memory, read the properties of buffers, submit tasks and stop contexts. It cannot progress or wait, submit instances
 * of graphs, or start, restart or close contexts, graphs and instances: these calls throw an {@link IllegalStateException}.
 *
 * @param <T> the type of the data that an instance has for the node
 */
@FunctionalInterface
public interface NodeAction<T> {

    /**
     * Does the work of the node. All nodes that it depends on have succeeded, and the destinations of their copies contain the
     * copied data.
     *
     * @param data the object that was set by {@link GraphInstance#set(UserNode, Object)}; null if none was set
     * @throws Exception to fail the run of the instance with this exception as the cause. No other user node of the run begins,
     *     but tasks that depend on this node still run
     */
    void run(T data) throws Exception;
}
