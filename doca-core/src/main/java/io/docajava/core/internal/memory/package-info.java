/* SPDX-License-Identifier: Apache-2.0 */
/** The internal state of memory maps and buffers, which contexts use. */
@NullMarked
package io.docajava.core.internal.memory;

import org.jspecify.annotations.NullMarked;
