/* SPDX-License-Identifier: Apache-2.0 */
/** Finding and loading the DOCA libraries, and what is known of the loaded ones. */
@NullMarked
package io.docajava.ffi;

import org.jspecify.annotations.NullMarked;
