/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Graphs: tasks of contexts and code of the program that depend on one another and are run by the SDK as one unit, {@code
 * doca_graph}.
 */
@NullMarked
package io.docajava.core.graph;

import org.jspecify.annotations.NullMarked;
