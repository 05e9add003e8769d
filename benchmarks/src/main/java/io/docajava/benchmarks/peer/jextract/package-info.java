/* SPDX-License-Identifier: Apache-2.0 */
/** Copies by the plain bindings that jextract generates, with an upcall for each completion. */
@NullMarked
package io.docajava.benchmarks.peer.jextract;

import org.jspecify.annotations.NullMarked;
