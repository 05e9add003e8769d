/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.context;

/**
 * A prepared task that a node of a graph can run: a {@code DmaTask}, an {@code RdmaTask} or a {@link
 * io.docajava.core.sync.SyncEventTask}. Only doca-java's modules implement this interface.
 *
 * <p>While an instance runs, its tasks are in flight, and their own handlers are not called. After the run, the tasks can be
 * submitted individually again.
 */
public interface GraphTask {}
