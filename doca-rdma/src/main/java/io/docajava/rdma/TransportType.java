/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

/** The transports that connections can use ({@code enum doca_rdma_transport_type}). */
public enum TransportType {
    /** Reliable connection: each connection has one peer. All devices support it. */
    RC,
    /**
     * Dynamically connected: many peers share one queue. It supports only connections of {@link RdmaContext#prepareConnection()}.
     */
    DC;
}
