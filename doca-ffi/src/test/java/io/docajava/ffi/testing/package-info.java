/* SPDX-License-Identifier: Apache-2.0 */
/** What the tests of native code share: a C compiler, and JVMs to try things in. */
@NullMarked
package io.docajava.ffi.testing;

import org.jspecify.annotations.NullMarked;
