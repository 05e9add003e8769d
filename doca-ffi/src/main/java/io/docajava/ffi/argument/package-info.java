/* SPDX-License-Identifier: Apache-2.0 */
/** Checks and copies arguments that hold several values. */
@NullMarked
package io.docajava.ffi.argument;

import org.jspecify.annotations.NullMarked;
