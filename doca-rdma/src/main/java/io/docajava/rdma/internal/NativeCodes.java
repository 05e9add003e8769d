/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.internal;

import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.generated.rdma.DocaRdma;
import io.docajava.rdma.Mtu;
import io.docajava.rdma.RdmaAddress;
import io.docajava.rdma.TransportType;

/** The values of C enumerations. */
final class NativeCodes {

    private NativeCodes() {}

    /** Returns the value of the C enumeration. */
    static int code(Mtu mtu) {
        return switch (mtu) {
            case BYTES_256 -> DocaCommon.DOCA_MTU_SIZE_256_BYTES();
            case BYTES_512 -> DocaCommon.DOCA_MTU_SIZE_512_BYTES();
            case BYTES_1024 -> DocaCommon.DOCA_MTU_SIZE_1K_BYTES();
            case BYTES_2048 -> DocaCommon.DOCA_MTU_SIZE_2K_BYTES();
            case BYTES_4096 -> DocaCommon.DOCA_MTU_SIZE_4K_BYTES();
            case RAW_ETHERNET -> DocaCommon.DOCA_MTU_SIZE_RAW_ETHERNET();
        };
    }

    /** Returns the value of the C enumeration. */
    static int code(TransportType transport) {
        return switch (transport) {
            case RC -> DocaRdma.DOCA_RDMA_TRANSPORT_TYPE_RC();
            case DC -> DocaRdma.DOCA_RDMA_TRANSPORT_TYPE_DC();
        };
    }

    /** Returns the value of the C enumeration. */
    static int code(RdmaAddress.Type type) {
        return switch (type) {
            case IPV4 -> DocaRdma.DOCA_RDMA_ADDR_TYPE_IPv4();
            case IPV6 -> DocaRdma.DOCA_RDMA_ADDR_TYPE_IPv6();
            case GID -> DocaRdma.DOCA_RDMA_ADDR_TYPE_GID();
        };
    }
}
