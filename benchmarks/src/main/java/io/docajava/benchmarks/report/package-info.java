/* SPDX-License-Identifier: Apache-2.0 */
/** Computes figures, tables, charts and goals from measured pairs. */
@NullMarked
package io.docajava.benchmarks.report;

import org.jspecify.annotations.NullMarked;
