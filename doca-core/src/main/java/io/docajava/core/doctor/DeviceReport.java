/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.doctor;

import io.docajava.core.device.DeviceInfo;
import io.docajava.ffi.argument.Elements;
import java.util.Map;
import java.util.Objects;

/**
 * Report about one device.
 *
 * @param info the properties of the device
 * @param canHaveRepresentors whether the device can have representors of functions of a host, as devices of a DPU can
 * @param features a report for each of {@link Diagnosis#features()}, by the name of the feature; unmodifiable
 */
public record DeviceReport(DeviceInfo info, boolean canHaveRepresentors, Map<String, FeatureReport> features) {

    /** Copies the map. */
    public DeviceReport {
        Objects.requireNonNull(info, "info");
        features = Elements.copyOfMap(features, "features");
    }
}
