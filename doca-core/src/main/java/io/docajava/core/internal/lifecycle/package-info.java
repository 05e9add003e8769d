/* SPDX-License-Identifier: Apache-2.0 */
/** The life of a native object: open, closing, closed, and what must not be closed before what. */
@NullMarked
package io.docajava.core.internal.lifecycle;

import org.jspecify.annotations.NullMarked;
