/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

/** How connections carry their data, {@code enum doca_rdma_transport_type}. */
public enum TransportType {
    /** Reliable connection: each connection has a partner of its own. What all devices offer. */
    RC,
    /** Dynamically connected: many partners share one queue. Connections of {@link RdmaContext#prepareConnection()} only. */
    DC
}
