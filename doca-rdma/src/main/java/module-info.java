/* SPDX-License-Identifier: Apache-2.0 */
/** DOCA RDMA: so far, what a device can do by it. */
module io.docajava.rdma {
    requires static org.jspecify;
    requires transitive io.docajava.core;

    exports io.docajava.rdma;
}
