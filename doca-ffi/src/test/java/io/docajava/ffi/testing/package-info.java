/* SPDX-License-Identifier: Apache-2.0 */
/** Utilities for the tests of native code: a C compiler, and separate JVMs. */
@NullMarked
package io.docajava.ffi.testing;

import org.jspecify.annotations.NullMarked;
