/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Memory that devices reach: memory maps, and buffers that point into them.
 *
 * <p>An {@link io.docajava.core.memory.Mmap} is memory that one device or several reach: allocated by the map, in huge pages on
 * request, or by the caller. An {@link io.docajava.core.memory.MmapExport} gives another process access to it, over the PCI bus
 * for example, so that the other process copies from or to it, while the owner only keeps its map open:
 *
 * <pre>{@code
 * // on the host                                            // on the DPU
 * Mmap memory = Mmap.allocate(device, size, PCI_READ_ONLY);
 * memory.exportPci(device).save(file);
 *                                                           Mmap remote = Mmap.fromExport(device, MmapExport.load(file));
 *                                                           dma.copy(buffers.data(remote, 0, size), target);
 * }</pre>
 */
@NullMarked
package io.docajava.core.memory;

import org.jspecify.annotations.NullMarked;
