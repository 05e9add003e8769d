/* SPDX-License-Identifier: Apache-2.0 */
/** Copies between memory ranges by the DMA engine of a device. */
@NullMarked
package io.docajava.dma;

import org.jspecify.annotations.NullMarked;
