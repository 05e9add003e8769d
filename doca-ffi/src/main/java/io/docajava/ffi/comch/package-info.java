/* SPDX-License-Identifier: Apache-2.0 */
/** The callbacks of comm channels. */
@NullMarked
package io.docajava.ffi.comch;

import org.jspecify.annotations.NullMarked;
