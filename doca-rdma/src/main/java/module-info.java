/* SPDX-License-Identifier: Apache-2.0 */
/** DOCA RDMA: messages to peers, and work in their memory. */
module io.docajava.rdma {
    requires static transitive org.jspecify;
    requires transitive io.docajava.core;

    // To know who is at the other end of a Unix-domain socket.
    requires jdk.net;

    exports io.docajava.rdma;
    exports io.docajava.rdma.exchange;

    provides io.docajava.core.doctor.FeatureProbe with
            io.docajava.rdma.internal.RdmaProbe;
}
