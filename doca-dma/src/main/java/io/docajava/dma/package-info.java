/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Copies between memory ranges by the DMA engine of a device. Start with {@link io.docajava.dma.DmaCopier} to copy from many threads
 * or more bytes than the device copies at once, and with {@link io.docajava.dma.DmaContext} for everything else.
 */
@NullMarked
package io.docajava.dma;

import org.jspecify.annotations.NullMarked;
