/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Memory that devices reach: memory maps, and buffers that point into them.
 *
 * <p>An {@link io.docajava.core.memory.Mmap} is memory that one device or several reach: allocated by the map, in huge pages
 * if asked for, or brought along. An {@link io.docajava.core.memory.MmapExport} carries it over the PCI bus to another
 * process, whose device then copies from or to it, while the process that owns it does nothing but keep its map open:
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
