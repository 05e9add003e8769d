/* SPDX-License-Identifier: Apache-2.0 */
/** How the translations come out of the jar. */
@NullMarked
package io.docajava.compat.internal;

import org.jspecify.annotations.NullMarked;
