/* SPDX-License-Identifier: Apache-2.0 */
/** The SDK's own log: to SLF4J, and its reasons to the exceptions. */
@NullMarked
package io.docajava.core.internal.log;

import org.jspecify.annotations.NullMarked;
