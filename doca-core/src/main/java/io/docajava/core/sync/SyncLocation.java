/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

/** The locations of publishers, which change the value of a sync event, and of subscribers, which read it and wait for it. */
public enum SyncLocation {
    /** The processors of this side of the PCI bus. */
    CPU,
    /** The other side of the PCI bus, for which {@link SyncEvent#exportPci} exports the event. */
    REMOTE_PCI,
    /** RDMA peers, for which {@link SyncEvent#exportRdma} exports the event. This location can publish but not subscribe. */
    REMOTE_NET,
    /** The data-path accelerator of a device. doca-java does not support it. */
    DPA,
    /** A graphics processor. doca-java does not support it. */
    GPU;
}
