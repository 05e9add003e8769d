/* SPDX-License-Identifier: Apache-2.0 */
/** Passes the SDK's log to SLF4J, and its errors to exceptions. */
@NullMarked
package io.docajava.core.internal.log;

import org.jspecify.annotations.NullMarked;
