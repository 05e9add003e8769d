/* SPDX-License-Identifier: Apache-2.0 */
/** DOCA RDMA. */
module io.docajava.rdma {
    requires static org.jspecify;
    requires transitive io.docajava.core;

    exports io.docajava.rdma;
}
