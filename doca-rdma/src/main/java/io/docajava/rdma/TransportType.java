/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.ffi.generated.rdma.DocaRdma;

/** How connections carry their data, {@code enum doca_rdma_transport_type}. */
public enum TransportType {
    /** Reliable connection: each connection has a partner of its own. What all devices offer. */
    RC,
    /** Dynamically connected: many partners share one queue. Connections of {@link RdmaContext#prepareConnection()} only. */
    DC;

    /** The value of the C enumeration. */
    int code() {
        return switch (this) {
            case RC -> DocaRdma.DOCA_RDMA_TRANSPORT_TYPE_RC();
            case DC -> DocaRdma.DOCA_RDMA_TRANSPORT_TYPE_DC();
        };
    }
}
