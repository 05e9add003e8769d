/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.graph;

/**
 * The code of a user node. It runs inside of the SDK's progress, on the engine's thread, and holds up all else meanwhile.
 * So it may read and write memory, look at buffers, submit tasks and stop contexts. It cannot progress or wait, submit
 * instances of graphs, or start, restart or close contexts, graphs and instances; that is an {@link IllegalStateException}.
 *
 * @param <T> the data that an instance has for the node
 */
@FunctionalInterface
public interface NodeAction<T> {

    /**
     * Does the work of the node. All nodes that it depends on have succeeded: the targets of their copies have grown.
     *
     * @param data what {@link GraphInstance#set(UserNode, Object)} has set; null if nothing
     * @throws Exception whatever it throws fails the run of the instance, and is the cause of that failure; no user node of
     *     the run begins after that, while tasks of contexts that depend on this node still run
     */
    void run(T data) throws Exception;
}
