/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Copies a file of any size from a host to its DPU through a ring of slots in the host's memory.
 *
 * <p>The host exports one range of memory: a {@link io.docajava.samples.filecopy.ControlPage}, and slots of equal size
 * behind it. It fills the slots from the file, one after the other, and counts them in the control page. The DPU reads
 * that count by DMA, copies the new slots by DMA, and writes the number of copied slots by DMA, which the host may fill
 * again. There is no other communication.
 */
@NullMarked
package io.docajava.samples.filecopy;

import org.jspecify.annotations.NullMarked;
