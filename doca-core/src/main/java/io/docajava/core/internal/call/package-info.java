/* SPDX-License-Identifier: Apache-2.0 */
/** From the results of C functions to exceptions. */
@NullMarked
package io.docajava.core.internal.call;

import org.jspecify.annotations.NullMarked;
