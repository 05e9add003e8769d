/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Graphs: tasks of contexts and code of the program that depend on one another, and that the SDK runs as one unit ({@code
 * doca_graph}).
 */
@NullMarked
package io.docajava.core.graph;

import org.jspecify.annotations.NullMarked;
