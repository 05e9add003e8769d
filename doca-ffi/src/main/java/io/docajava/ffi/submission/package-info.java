/* SPDX-License-Identifier: Apache-2.0 */
/** What is noted in Java about tasks and done by few calls into native code. */
@NullMarked
package io.docajava.ffi.submission;

import org.jspecify.annotations.NullMarked;
