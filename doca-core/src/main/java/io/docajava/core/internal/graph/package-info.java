/* SPDX-License-Identifier: Apache-2.0 */
/** The implementation of graphs. For doca-java only. */
@NullMarked
package io.docajava.core.internal.graph;

import org.jspecify.annotations.NullMarked;
