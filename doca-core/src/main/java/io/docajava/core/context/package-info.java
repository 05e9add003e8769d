/* SPDX-License-Identifier: Apache-2.0 */
/** The parts that the contexts of all DOCA libraries share: states, listeners and failures of tasks. */
@NullMarked
package io.docajava.core.context;

import org.jspecify.annotations.NullMarked;
