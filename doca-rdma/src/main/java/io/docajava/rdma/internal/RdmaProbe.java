/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.internal;

import io.docajava.core.Doca;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceInfo;
import io.docajava.core.doctor.FeatureProbe;
import io.docajava.core.doctor.FeatureReport;
import io.docajava.core.doctor.Problem;
import io.docajava.ffi.Backend;
import io.docajava.rdma.RdmaAddress;
import io.docajava.rdma.RdmaCapabilities;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/** Reports whether a device supports RDMA, and the global identifiers by which peers reach it, with their types. */
public final class RdmaProbe implements FeatureProbe {

    /** The value of an unused table entry. */
    private static final RdmaAddress NO_GID = RdmaAddress.gid(new byte[16]);

    /** For the service loader. */
    public RdmaProbe() {}

    @Override
    public String feature() {
        return "RDMA";
    }

    @Override
    public String library() {
        return "rdma";
    }

    @Override
    public FeatureReport probe(DeviceInfo info) {
        RdmaCapabilities able = RdmaCapabilities.of(info);
        if (able.tasks().isEmpty()) {
            return FeatureReport.none();
        }
        // A device with readable capabilities may still fail to open.
        Device.open(info).close();
        GidTypes types = new GidTypes();
        IntFunction<Optional<String>> typeOf = index ->
                info.ibDevice().filter(name -> Doca.backend() == Backend.SDK).flatMap(name -> types.of(name, index));
        return report(info.displayName(), able, RdmaCapabilities.gids(info), typeOf);
    }

    static FeatureReport report(
            String device, RdmaCapabilities able, List<RdmaAddress> gids, IntFunction<Optional<String>> typeOf) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("operations", names(able.tasks()));
        facts.put("transports", names(able.transports()));
        facts.put("largest message", able.maxMessageSize() + " bytes");
        facts.put("send queue", "up to " + able.maxSendQueueSize());
        facts.put("receive queue", "up to " + able.maxReceiveQueueSize());
        for (int i = 0; i < gids.size(); i++) {
            if (!gids.get(i).equals(NO_GID)) {
                String type = typeOf.apply(i).map(name -> " (" + name + ")").orElse("");
                facts.put("GID " + i, gids.get(i) + type);
            }
        }
        boolean isReachable = gids.stream().anyMatch(gid -> !gid.equals(NO_GID));
        return new FeatureReport(isReachable, facts, isReachable ? List.of() : List.of(withoutGid(device)));
    }

    private static String names(Set<? extends Enum<?>> values) {
        return values.stream()
                .map(value -> value.name().toLowerCase(Locale.ROOT).replace('_', ' '))
                .sorted()
                .collect(Collectors.joining(", "));
    }

    private static Problem withoutGid(String device) {
        return new Problem(
                device + " has no GID, so no peer can reach it by RDMA.",
                "Bring its network interface up with an address; on a DPU, use the device of a scalable function instead of"
                        + " that of the physical one.");
    }
}
