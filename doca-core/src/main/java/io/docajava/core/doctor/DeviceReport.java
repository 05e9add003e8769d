/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.doctor;

import io.docajava.core.device.DeviceInfo;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Report about one device.
 *
 * @param info its properties
 * @param canHaveRepresentors whether it can represent functions of a host, as those of a DPU do
 * @param features what it offers, by the name of the feature
 */
public record DeviceReport(DeviceInfo info, boolean canHaveRepresentors, Map<String, FeatureReport> features) {

    /** Keeps its own copy of the map. */
    public DeviceReport {
        Objects.requireNonNull(info, "info");
        Objects.requireNonNull(features, "features");
        features = Collections.unmodifiableMap(new LinkedHashMap<>(features));
    }
}
