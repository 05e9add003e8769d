/* SPDX-License-Identifier: Apache-2.0 */
/** What the contexts of all DOCA libraries have in common: states, listeners, batches and failures of tasks. */
@NullMarked
package io.docajava.core.context;

import org.jspecify.annotations.NullMarked;
