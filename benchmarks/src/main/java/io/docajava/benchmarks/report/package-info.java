/* SPDX-License-Identifier: Apache-2.0 */
/** From measured pairs to figures, tables, charts and the goals reached. */
@NullMarked
package io.docajava.benchmarks.report;

import org.jspecify.annotations.NullMarked;
