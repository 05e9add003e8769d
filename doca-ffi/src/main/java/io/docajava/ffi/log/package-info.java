/* SPDX-License-Identifier: Apache-2.0 */
/** Passes the records that the SDK logs to Java. */
@NullMarked
package io.docajava.ffi.log;

import org.jspecify.annotations.NullMarked;
