/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.doctor;

import java.util.Collection;
import java.util.List;
import java.util.Objects;

/**
 * What {@link Doctor#examine()} found. {@link #toString()} is the report for people, some lines of text.
 *
 * @param libraries the DOCA libraries
 * @param machine the machine and this process
 * @param devices the devices, in the SDK's order
 * @param features the features of the modules of doca-java that are there, by their names
 * @param problems what keeps something from running, with the next step for each
 */
public record Diagnosis(
        LibraryReport libraries,
        MachineReport machine,
        List<DeviceReport> devices,
        List<String> features,
        List<Problem> problems) {

    /** Keeps its own copies of the lists. */
    public Diagnosis {
        Objects.requireNonNull(libraries, "libraries");
        Objects.requireNonNull(machine, "machine");
        Objects.requireNonNull(devices, "devices");
        Objects.requireNonNull(features, "features");
        Objects.requireNonNull(problems, "problems");
        devices = List.copyOf(devices);
        features = List.copyOf(features);
        problems = List.copyOf(problems);
    }

    /**
     * Returns whether a feature can be used on any device.
     *
     * @param feature one of {@link #features()}, such as {@code DMA}
     * @throws IllegalArgumentException if it is none of them
     */
    public boolean canRun(String feature) {
        checkKnown(feature);
        return devices.stream()
                .map(DeviceReport::features)
                .filter(found -> found.containsKey(feature))
                .map(found -> found.get(feature))
                .anyMatch(FeatureReport::canRun);
    }

    /**
     * Returns whether all of these features can be used, each on any device.
     *
     * @param wanted some of {@link #features()}
     * @throws IllegalArgumentException if one is none of them
     */
    public boolean canRunAll(Collection<String> wanted) {
        Objects.requireNonNull(wanted, "wanted");
        // First, so that a wrong name is reported also when another feature cannot be used.
        wanted.forEach(this::checkKnown);
        return wanted.stream().allMatch(this::canRun);
    }

    private void checkKnown(String feature) {
        Objects.requireNonNull(feature, "feature");
        if (!features.contains(feature)) {
            throw new IllegalArgumentException("There is no feature \"" + feature + "\" among " + features
                    + ", those of the modules of doca-java that are there");
        }
    }

    @Override
    public String toString() {
        return new DiagnosisText(this).toString();
    }
}
