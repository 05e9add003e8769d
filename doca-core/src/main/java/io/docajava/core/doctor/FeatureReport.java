/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.doctor;

import io.docajava.ffi.argument.Elements;
import java.util.List;
import java.util.Map;

/**
 * Report about one feature of one device.
 *
 * @param canRun whether the feature can be used on the device by this process
 * @param facts limits and other properties by their names, in the order of the readable report; unmodifiable
 * @param problems that prevent or impair the use of the feature; empty if the device just lacks the feature
 */
public record FeatureReport(boolean canRun, Map<String, String> facts, List<Problem> problems) {

    /** Copies the map and the list. */
    public FeatureReport {
        facts = Elements.copyOfMap(facts, "facts");
        problems = Elements.copy(problems, "problems");
    }

    /** {@return the report of a device that lacks the feature: it cannot run, and has neither facts nor problems} */
    public static FeatureReport none() {
        return new FeatureReport(false, Map.of(), List.of());
    }
}
