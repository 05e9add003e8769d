/* SPDX-License-Identifier: Apache-2.0 */
/** Base of the contexts of all DOCA libraries: states, listeners, tasks. */
@NullMarked
package io.docajava.core.context;

import org.jspecify.annotations.NullMarked;
