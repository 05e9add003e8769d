/* SPDX-License-Identifier: Apache-2.0 */
/** DOCA RDMA: sends messages to peers, and reads and writes their memory. */
module io.docajava.rdma {
    requires static transitive org.jspecify;
    requires transitive io.docajava.core;

    // Identifies the user at the other end of a Unix-domain socket.
    requires jdk.net;

    exports io.docajava.rdma;
    exports io.docajava.rdma.exchange;

    provides io.docajava.core.doctor.FeatureProbe with
            io.docajava.rdma.internal.RdmaProbe;
}
