/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.docajava.comch.CommCapabilities;
import io.docajava.core.doctor.Diagnosis;
import io.docajava.core.doctor.Doctor;
import io.docajava.core.doctor.FeatureReport;
import io.docajava.emulator.EmulatorEnvironment;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;

@DisabledIfEnvironmentVariable(named = EmulatorEnvironment.ROLE, matches = "host")
class CommProbeTest {

    private static final String FEATURE = "comm channels";

    @Test
    void isMadeByTheDoctor() {
        Diagnosis diagnosis = Doctor.examine();

        assertThat(diagnosis.features()).contains(FEATURE);
        assertThat(diagnosis.canRun(FEATURE)).isTrue();
        assertThat(diagnosis.libraries().paths()).containsOnlyKeys("common", "comch");
        assertThat(diagnosis.problems()).isEmpty();
        List<FeatureReport> found = diagnosis.devices().stream()
                .map(device -> Objects.requireNonNull(device.features().get(FEATURE)))
                .toList();
        assertThat(found).extracting(FeatureReport::canRun).containsExactly(true, true, false, false);
        assertThat(found.getFirst().facts())
                .containsExactly(
                        entry("servers", "yes"),
                        entry("clients", "no"),
                        entry("largest message", "4080 bytes"),
                        entry("receive queue", "up to 8192"),
                        entry("sends in flight", "up to 8192"),
                        entry("server name", "up to 119 bytes"),
                        entry("clients at once", "up to 512"));
        assertThat(found.getLast()).isEqualTo(FeatureReport.none());
        assertThat(diagnosis.toString())
                .contains("\n      server name       up to 119 bytes\n      clients at once   up to 512\n");
    }

    @Test
    void reportsTheCapabilitiesOfAHost() {
        FeatureReport report = CommProbe.report(new CommCapabilities(false, true, 4080, 8192, 8192, 119, 512));

        assertThat(report.canRun()).isTrue();
        assertThat(report.facts())
                .contains(entry("servers", "no"), entry("clients", "yes"))
                .doesNotContainKey("clients at once");
    }
}
