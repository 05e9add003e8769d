/* SPDX-License-Identifier: Apache-2.0 */
/** Compares the output of jextract with the result of a C compiler for the same headers. */
@NullMarked
package io.docajava.ffi.declarations;

import org.jspecify.annotations.NullMarked;
