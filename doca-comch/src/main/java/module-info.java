/* SPDX-License-Identifier: Apache-2.0 */
/** DOCA Comch: messages between a host and its DPU. */
module io.docajava.comch {
    requires static transitive org.jspecify;
    requires transitive io.docajava.core;

    exports io.docajava.comch;

    provides io.docajava.core.doctor.FeatureProbe with
            io.docajava.comch.internal.CommProbe;
}
