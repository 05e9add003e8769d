/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Memory that devices can access: memory maps, ranges of them, and buffers that point into them.
 *
 * <p>An {@link io.docajava.core.memory.Mmap} is memory that one or more devices can access. The map allocates the memory, in huge
 * pages on request, or the caller does. An {@link io.docajava.core.memory.MmapExport} gives another process access to it, for
 * example over the PCI bus. That process copies from or to the memory, while the owner keeps its map open:
 *
 * <pre>{@code
 * // on the host                                            // on the DPU
 * Mmap memory = Mmap.allocate(device, size, PCI_READ_ONLY);
 * memory.exportPci(device).save(file);
 *                                                           Mmap remote = Mmap.fromExport(device, MmapExport.load(file));
 *                                                           dma.copy(remote.all(), target);
 * }</pre>
 */
@NullMarked
package io.docajava.core.memory;

import org.jspecify.annotations.NullMarked;
