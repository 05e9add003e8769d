/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

/** The most bytes of one packet, {@code enum doca_mtu_size}. Messages may be longer: they are cut into packets. */
public enum Mtu {
    /** 256 bytes. */
    BYTES_256,
    /** 512 bytes. */
    BYTES_512,
    /** 1024 bytes. */
    BYTES_1024,
    /** 2048 bytes. */
    BYTES_2048,
    /** 4096 bytes. */
    BYTES_4096,
    /** What the port's Ethernet takes. */
    RAW_ETHERNET
}
