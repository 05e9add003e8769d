/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import io.docajava.ffi.generated.common.DocaCommon;

/** The kinds of representors that can be listed ({@code enum doca_devinfo_rep_filter}). */
public enum RepresentorKind {
    /** All representors. */
    ALL,
    /** Representors of network functions. */
    NET,
    /** Representors of functions that the DPU emulates, such as NVMe and virtio devices. */
    EMULATED;

    /** {@return the number in the C ABI} */
    int filter() {
        return switch (this) {
            case ALL -> DocaCommon.DOCA_DEVINFO_REP_FILTER_ALL();
            case NET -> DocaCommon.DOCA_DEVINFO_REP_FILTER_NET();
            case EMULATED -> DocaCommon.DOCA_DEVINFO_REP_FILTER_EMULATED();
        };
    }
}
