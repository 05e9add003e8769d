/* SPDX-License-Identifier: Apache-2.0 */
/** Finds and loads the DOCA libraries, and describes the loaded ones. */
@NullMarked
package io.docajava.ffi;

import org.jspecify.annotations.NullMarked;
