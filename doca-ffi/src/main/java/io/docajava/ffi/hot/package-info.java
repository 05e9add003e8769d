/* SPDX-License-Identifier: Apache-2.0 */
/** The functions that run once per operation: handles that the compiler can inline, with pointers as plain numbers. */
@NullMarked
package io.docajava.ffi.hot;

import org.jspecify.annotations.NullMarked;
