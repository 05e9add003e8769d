/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.context;

import io.docajava.core.graph.GraphTask;

/** Gives graphs access to the prepared operations of public tasks. */
public final class NodeTasks {

    private NodeTasks() {}

    /**
     * Returns the prepared operation of a task.
     *
     * @throws IllegalArgumentException if doca-java does not implement its class
     */
    public static PreparedOperation<?> of(GraphTask task) {
        if (task instanceof TaskBase<?> ours) {
            return ours.prepared();
        }
        throw new IllegalArgumentException("A node runs tasks of doca-java's contexts only, and not a "
                + task.getClass().getName());
    }
}
