/* SPDX-License-Identifier: Apache-2.0 */
/** Queues that pass completions from native callbacks to Java. */
@NullMarked
package io.docajava.ffi.completion;

import org.jspecify.annotations.NullMarked;
