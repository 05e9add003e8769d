/* SPDX-License-Identifier: Apache-2.0 */
/** DOCA DMA: copies by the DMA engine of a device. */
module io.docajava.dma {
    requires static transitive org.jspecify;
    requires transitive io.docajava.core;

    exports io.docajava.dma;

    provides io.docajava.core.doctor.FeatureProbe with
            io.docajava.dma.internal.DmaProbe;
}
