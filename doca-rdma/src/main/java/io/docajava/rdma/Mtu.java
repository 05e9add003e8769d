/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

/** The largest size of a packet ({@code enum doca_mtu_size}). The device splits longer messages into packets. */
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
    /** The MTU of the port's Ethernet. */
    RAW_ETHERNET;
}
