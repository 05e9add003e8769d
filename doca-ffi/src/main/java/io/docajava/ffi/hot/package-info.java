/* SPDX-License-Identifier: Apache-2.0 */
/** The functions that are called for each operation: handles that the compiler can inline, with pointers as numbers. */
@NullMarked
package io.docajava.ffi.hot;

import org.jspecify.annotations.NullMarked;
