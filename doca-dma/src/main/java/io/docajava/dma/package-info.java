/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Copies between memory ranges by the DMA engine of a device. Start with {@link io.docajava.dma.DmaContext}.
 */
@NullMarked
package io.docajava.dma;

import org.jspecify.annotations.NullMarked;
