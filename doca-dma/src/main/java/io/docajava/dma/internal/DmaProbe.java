/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.internal;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceInfo;
import io.docajava.core.doctor.FeatureProbe;
import io.docajava.core.doctor.FeatureReport;
import io.docajava.dma.DmaCapabilities;
import io.docajava.dma.DmaContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reports whether a device has a DMA engine, and its limits. */
public final class DmaProbe implements FeatureProbe {

    /** For the service loader. */
    public DmaProbe() {}

    @Override
    public String feature() {
        return "DMA";
    }

    @Override
    public String library() {
        return "dma";
    }

    @Override
    public FeatureReport probe(DeviceInfo info) {
        if (!DmaContext.isSupported(info)) {
            return FeatureReport.none();
        }
        try (Device device = Device.open(info)) {
            DmaCapabilities limits = DmaCapabilities.of(device);
            Map<String, String> facts = new LinkedHashMap<>();
            facts.put("largest copy", limits.maxBufferSize() + " bytes");
            facts.put("longest list", limits.maxListLength() + " buffers");
            facts.put("tasks", Integer.toString(limits.maxTasks()));
            return new FeatureReport(true, facts, List.of());
        }
    }
}
