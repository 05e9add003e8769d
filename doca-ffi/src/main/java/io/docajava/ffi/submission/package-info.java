/* SPDX-License-Identifier: Apache-2.0 */
/** Lists of task commands that Java collects and native code executes in few calls. */
@NullMarked
package io.docajava.ffi.submission;

import org.jspecify.annotations.NullMarked;
