/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.doctor;

import io.docajava.core.device.DeviceInfo;
import io.docajava.ffi.DocaLibrary;
import java.util.List;
import java.util.Map;

/** Examines whether the loaded library supports graphs. This is the same for all devices. */
final class GraphProbe implements FeatureProbe {

    /** The functions that create and run a graph. */
    private static final List<String> NEEDED = List.of(
            "doca_graph_create",
            "doca_graph_node_create_from_ctx",
            "doca_graph_start",
            "doca_graph_instance_create",
            "doca_graph_instance_submit");

    @Override
    public String feature() {
        return "graphs";
    }

    @Override
    public String library() {
        return "common";
    }

    @Override
    public FeatureReport probe(DeviceInfo device) {
        NEEDED.forEach(DocaLibrary.load()::require);
        return new FeatureReport(true, Map.of(), List.of());
    }
}
