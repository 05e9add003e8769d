/* SPDX-License-Identifier: Apache-2.0 */
/** Checks the results of C functions and creates exceptions from them. */
@NullMarked
package io.docajava.core.internal.call;

import org.jspecify.annotations.NullMarked;
