/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.doctor;

import io.docajava.core.device.DeviceInfo;
import io.docajava.core.sync.SyncEventCapabilities;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Examines the capabilities of a device for sync events. */
final class SyncEventProbe implements FeatureProbe {

    @Override
    public String feature() {
        return "sync events";
    }

    @Override
    public String library() {
        return "common";
    }

    @Override
    public FeatureReport probe(DeviceInfo device) {
        SyncEventCapabilities able = SyncEventCapabilities.of(device);
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("across PCI", directions(able.exportPci(), able.createFromExportPci()));
        facts.put("by RDMA", directions(able.exportRdma(), able.createFromExportRdma()));
        String tasks = able.tasks().stream()
                .map(task -> task.name().toLowerCase(Locale.ROOT).replace('_', ' '))
                .sorted()
                .collect(Collectors.joining(", "));
        facts.put("tasks", tasks.isEmpty() ? "none" : tasks);
        return facts.values().stream().allMatch("none"::equals)
                ? FeatureReport.none()
                : new FeatureReport(true, facts, List.of());
    }

    private static String directions(boolean export, boolean createFromExport) {
        List<String> offered = new ArrayList<>();
        if (export) {
            offered.add("export");
        }
        if (createFromExport) {
            offered.add("import");
        }
        return offered.isEmpty() ? "none" : String.join(", ", offered);
    }
}
