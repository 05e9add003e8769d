/* SPDX-License-Identifier: Apache-2.0 */
/** DOCA RDMA: its place, without types to export so far. */
module io.docajava.rdma {
    requires static org.jspecify;
    requires transitive io.docajava.core;
}
