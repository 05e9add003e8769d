/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.doctor;

import io.docajava.ffi.argument.Elements;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/**
 * The result of {@link Doctor#examine()}. {@link #toString()} returns a readable report of several lines.
 *
 * @param libraries the DOCA libraries that were found and loaded
 * @param machine the machine and this process
 * @param devices the devices, in the SDK's order; empty if the libraries cannot be loaded
 * @param features the sorted names of the features of all present modules of doca-java, including those that cannot be used
 * @param problems all problems, each with the next step; empty if there are none
 */
public record Diagnosis(
        LibraryReport libraries,
        MachineReport machine,
        List<DeviceReport> devices,
        List<String> features,
        List<Problem> problems) {

    /** Copies the lists. */
    public Diagnosis {
        Objects.requireNonNull(libraries, "libraries");
        Objects.requireNonNull(machine, "machine");
        devices = Elements.copy(devices, "devices");
        features = Elements.copy(features, "features");
        problems = Elements.copy(problems, "problems");
    }

    /**
     * {@return whether this process can use a feature, which at least one device then supports}
     *
     * @param feature one of {@link #features()}, such as {@code DMA}
     * @throws IllegalArgumentException if {@code feature} is none of {@link #features()}
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
     * {@return whether this process can use several features, each supported by at least one device, not necessarily the same}
     *
     * @param wanted some of {@link #features()}
     * @throws IllegalArgumentException if one of {@code wanted} is none of {@link #features()}
     */
    public boolean canRunAll(Collection<String> wanted) {
        List<String> all = Elements.copy(wanted, "wanted");
        // Checked first, so that a wrong name is always reported.
        all.forEach(this::checkKnown);
        return all.stream().allMatch(this::canRun);
    }

    private void checkKnown(String feature) {
        Objects.requireNonNull(feature, "feature");
        if (!features.contains(feature)) {
            throw new IllegalArgumentException("There is no feature \"" + feature + "\" among " + features
                    + ", the features of the doca-java modules in use");
        }
    }

    @Override
    public String toString() {
        return new DiagnosisText(this).toString();
    }
}
