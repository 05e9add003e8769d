/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.context;

import io.docajava.core.graph.GraphTask;

/** Gives graphs access to the inside of the public tasks. */
public final class NodeTasks {

    private NodeTasks() {}

    /**
     * Returns the prepared operation of a task.
     *
     * @throws IllegalArgumentException if it is of a class that is not doca-java's
     */
    public static PreparedOperation<?> of(GraphTask task) {
        if (task instanceof TaskBase<?> ours) {
            return ours.prepared();
        }
        throw new IllegalArgumentException("A node runs tasks of doca-java's contexts only, and not a "
                + task.getClass().getName());
    }
}
