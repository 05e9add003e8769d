/* SPDX-License-Identifier: Apache-2.0 */
/** Unpacks the translations from the jar. */
@NullMarked
package io.docajava.compat.internal;

import org.jspecify.annotations.NullMarked;
