/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Graphs: tasks of contexts and code of the program that depend on one another, which the SDK runs as a unit ({@code
 * doca_graph}).
 */
@NullMarked
package io.docajava.core.graph;

import org.jspecify.annotations.NullMarked;
