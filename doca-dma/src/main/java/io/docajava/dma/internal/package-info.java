/* SPDX-License-Identifier: Apache-2.0 */
/** Services of doca-dma for doca-core. */
@NullMarked
package io.docajava.dma.internal;

import org.jspecify.annotations.NullMarked;
