/* SPDX-License-Identifier: Apache-2.0 */
/** Completions on their way from native callbacks to Java. */
@NullMarked
package io.docajava.ffi.completion;

import org.jspecify.annotations.NullMarked;
