/* SPDX-License-Identifier: Apache-2.0 */
/** Linux calls for event-driven progress and for memory in huge pages. */
@NullMarked
package io.docajava.ffi.linux;

import org.jspecify.annotations.NullMarked;
