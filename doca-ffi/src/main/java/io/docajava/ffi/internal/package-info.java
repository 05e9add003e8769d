/* SPDX-License-Identifier: Apache-2.0 */
/** Loading of native libraries, and the little that generated and hand-written bindings share. */
@NullMarked
package io.docajava.ffi.internal;

import org.jspecify.annotations.NullMarked;
