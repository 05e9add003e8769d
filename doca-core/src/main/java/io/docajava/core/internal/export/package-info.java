/* SPDX-License-Identifier: Apache-2.0 */
/** Exports of one process to another, as bytes and in files. */
@NullMarked
package io.docajava.core.internal.export;

import org.jspecify.annotations.NullMarked;
