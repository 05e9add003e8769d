/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Sync events: numbers of 64 bits that processors on both sides of the PCI bus, and RDMA peers, can set, add to and wait for.
 *
 * <p>Threads use a {@link io.docajava.core.sync.SyncEvent} through calls that return at once, and waits. A {@link
 * io.docajava.core.sync.SyncEventContext} has the same operations as tasks of a {@link io.docajava.core.progress.ProgressEngine}.
 * A {@link io.docajava.core.sync.SyncEventExport} gives another process access to an event:
 *
 * <pre>{@code
 * // on the DPU                                             // on the host
 * SyncEvent event = SyncEvent.builder(device)
 *         .publisher(REMOTE_PCI).subscriber(CPU).start();
 * event.exportPci(device).save(file);
 *                                                           SyncEvent same =
 *                                                               SyncEvent.fromExport(device, SyncEventExport.load(file));
 *                                                           same.set(1);
 * event.newWait().untilEqual(1);
 * }</pre>
 */
@NullMarked
package io.docajava.core.sync;

import org.jspecify.annotations.NullMarked;
