/* SPDX-License-Identifier: Apache-2.0 */
/** The few Linux calls that event-driven progress and memory in huge pages need. */
@NullMarked
package io.docajava.ffi.linux;

import org.jspecify.annotations.NullMarked;
