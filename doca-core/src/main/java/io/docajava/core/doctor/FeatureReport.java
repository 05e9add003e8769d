/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.doctor;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Report about one feature of one device.
 *
 * @param canRun whether the feature can be used on the device by this process
 * @param facts limits and other properties by their names, in the order in which to show them
 * @param problems what keeps it from being used, or will make trouble; a device that merely lacks the feature has none
 */
public record FeatureReport(boolean canRun, Map<String, String> facts, List<Problem> problems) {

    /** Keeps its own copies. */
    public FeatureReport {
        Objects.requireNonNull(facts, "facts");
        Objects.requireNonNull(problems, "problems");
        facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
        problems = List.copyOf(problems);
    }

    /** Of a device that does not have the feature. */
    public static FeatureReport none() {
        return new FeatureReport(false, Map.of(), List.of());
    }
}
