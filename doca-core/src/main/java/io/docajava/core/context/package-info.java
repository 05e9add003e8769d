/* SPDX-License-Identifier: Apache-2.0 */
/** The common parts of the contexts of all DOCA libraries: states, listeners, batches and failures of tasks. */
@NullMarked
package io.docajava.core.context;

import org.jspecify.annotations.NullMarked;
