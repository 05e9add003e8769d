/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.side;

import io.docajava.core.device.DeviceFilter;
import io.docajava.dma.DmaContext;

/** Filters for the devices of the samples. */
public final class DmaDevices {

    /** Accepts devices with a DMA engine, on either side. */
    public static final DeviceFilter COPYING = DeviceFilter.named("support for DMA copies", DmaContext::isSupported);

    private DmaDevices() {}
}
