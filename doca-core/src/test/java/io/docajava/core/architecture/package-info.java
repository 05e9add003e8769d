/* SPDX-License-Identifier: Apache-2.0 */
/** The rules of the design that a compiler does not know. */
@NullMarked
package io.docajava.core.architecture;

import org.jspecify.annotations.NullMarked;
