/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.graph;

import io.docajava.core.internal.graph.UserNodeImpl;

/**
 * A node that runs code of the program.
 *
 * @param <T> the type of the data that an instance has for the node
 */
public sealed interface UserNode<T> extends GraphNode permits UserNodeImpl {}
