/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.ffi.generated.common.DocaCommon;

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

    /** Returns the value of the C enumeration. */
    int code() {
        return switch (this) {
            case BYTES_256 -> DocaCommon.DOCA_MTU_SIZE_256_BYTES();
            case BYTES_512 -> DocaCommon.DOCA_MTU_SIZE_512_BYTES();
            case BYTES_1024 -> DocaCommon.DOCA_MTU_SIZE_1K_BYTES();
            case BYTES_2048 -> DocaCommon.DOCA_MTU_SIZE_2K_BYTES();
            case BYTES_4096 -> DocaCommon.DOCA_MTU_SIZE_4K_BYTES();
            case RAW_ETHERNET -> DocaCommon.DOCA_MTU_SIZE_RAW_ETHERNET();
        };
    }
}
