/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.graph;

/**
 * A task that is prepared once and submitted many times, and that a node of a graph can run in place of its program:
 * {@code DmaTask}, {@code RdmaTask}, {@link io.docajava.core.sync.SyncEventTask}. Only doca-java's modules implement it.
 *
 * <p>While an instance runs, the task is in flight; its own handler is not called. Afterwards it can be submitted by itself
 * as before.
 */
public interface GraphTask {}
