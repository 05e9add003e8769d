/* SPDX-License-Identifier: Apache-2.0 */
/** The DOCA libraries of the process, and the exceptions that all modules share. */
@NullMarked
package io.docajava.core;

import org.jspecify.annotations.NullMarked;
