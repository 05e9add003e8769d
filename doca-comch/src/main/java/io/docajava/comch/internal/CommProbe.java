/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch.internal;

import io.docajava.comch.CommCapabilities;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceInfo;
import io.docajava.core.doctor.FeatureProbe;
import io.docajava.core.doctor.FeatureReport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reports whether a device supports servers or clients of comm channels. */
public final class CommProbe implements FeatureProbe {

    /** For the service loader. */
    public CommProbe() {}

    @Override
    public String feature() {
        return "comm channels";
    }

    @Override
    public String library() {
        return "comch";
    }

    @Override
    public FeatureReport probe(DeviceInfo info) {
        CommCapabilities able = CommCapabilities.of(info);
        if (!able.server() && !able.client()) {
            return FeatureReport.none();
        }
        // A device with readable capabilities may still fail to open.
        Device.open(info).close();
        return report(able);
    }

    static FeatureReport report(CommCapabilities able) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("servers", able.server() ? "yes" : "no");
        facts.put("clients", able.client() ? "yes" : "no");
        facts.put("largest message", able.maxMessageSize() + " bytes");
        facts.put("receive queue", "up to " + able.maxReceiveQueueSize());
        facts.put("sends in flight", "up to " + able.maxSends());
        facts.put("server name", "up to " + able.maxNameLength() + " bytes");
        if (able.server()) {
            facts.put("clients at once", "up to " + able.maxClients());
        }
        return new FeatureReport(true, facts, List.of());
    }
}
