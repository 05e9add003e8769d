/* SPDX-License-Identifier: Apache-2.0 */
/** The superclass of the exceptions of all modules, {@link io.docajava.DocaException}. */
@NullMarked
package io.docajava;

import org.jspecify.annotations.NullMarked;
