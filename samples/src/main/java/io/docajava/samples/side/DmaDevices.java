/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.side;

import io.docajava.core.device.DeviceFilter;
import io.docajava.dma.DmaContext;

/** The devices that the samples are for. */
public final class DmaDevices {

    /** Those that copy, on either side. */
    public static final DeviceFilter COPYING = DeviceFilter.named("support for DMA copies", DmaContext::isSupported);

    private DmaDevices() {}
}
