/* SPDX-License-Identifier: Apache-2.0 */
/** Exports to other processes, as bytes and in files. */
@NullMarked
package io.docajava.core.internal.export;

import org.jspecify.annotations.NullMarked;
