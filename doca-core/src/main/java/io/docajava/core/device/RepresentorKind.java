/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

/** The kinds of representors that can be listed ({@code enum doca_devinfo_rep_filter}). */
public enum RepresentorKind {
    /** All representors. */
    ALL,
    /** Representors of network functions. */
    NET,
    /** Representors of functions that the DPU emulates, such as NVMe and virtio devices. */
    EMULATED
}
