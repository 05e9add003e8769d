/* SPDX-License-Identifier: Apache-2.0 */
/** The records that the SDK logs, on their way to Java. */
@NullMarked
package io.docajava.ffi.log;

import org.jspecify.annotations.NullMarked;
