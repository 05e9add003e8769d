/* SPDX-License-Identifier: Apache-2.0 */
/** Compares what jextract made of the headers with what a C compiler makes of them. */
@NullMarked
package io.docajava.ffi.declarations;

import org.jspecify.annotations.NullMarked;
