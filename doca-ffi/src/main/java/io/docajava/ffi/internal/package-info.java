/* SPDX-License-Identifier: Apache-2.0 */
/** Loads native libraries, and contains code that generated and hand-written bindings share. */
@NullMarked
package io.docajava.ffi.internal;

import org.jspecify.annotations.NullMarked;
