/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

/** Locations of the publishers of a sync event, who change its value, and of its subscribers, who read it and wait for it. */
public enum SyncLocation {
    /** The processors of this side. */
    CPU,
    /** The other side of the PCI bus, which gets the event by {@link SyncEvent#exportPci}. */
    REMOTE_PCI,
    /** Peers by RDMA, who get the event by {@link SyncEvent#exportRdma}. They publish only. */
    REMOTE_NET,
    /** The data-path accelerator of a device: not supported. */
    DPA,
    /** A graphics processor: not supported. */
    GPU;

    /** Refuses what doca-java cannot offer. */
    void checkSupported() {
        switch (this) {
            case CPU, REMOTE_PCI, REMOTE_NET -> {}
            case DPA ->
                throw new UnsupportedOperationException("A DPA cannot be a location of a sync event: that takes a DPA"
                        + " context of the DOCA DPA library, which doca-java has no access to");
            case GPU ->
                throw new UnsupportedOperationException("A GPU cannot be a location of a sync event: that takes a GPU"
                        + " context of the DOCA GPUNetIO library, which doca-java has no access to");
        }
    }
}
