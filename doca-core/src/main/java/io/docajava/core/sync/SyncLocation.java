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

    /** Throws for locations that doca-java does not support. */
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
