/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceInfo;
import io.docajava.core.doctor.Diagnosis;
import io.docajava.core.doctor.Doctor;
import io.docajava.core.doctor.FeatureReport;
import io.docajava.core.doctor.Problem;
import io.docajava.rdma.RdmaAddress;
import io.docajava.rdma.RdmaCapabilities;
import io.docajava.testing.NeedsEmulator;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RdmaProbeTest {

    @Test
    @NeedsEmulator
    void isMadeByTheDoctor() {
        Diagnosis diagnosis = Doctor.examine();

        assertThat(diagnosis.features()).containsExactly("RDMA", "graphs", "sync events");
        assertThat(diagnosis.canRun("RDMA")).isTrue();
        assertThat(diagnosis.libraries().paths()).containsOnlyKeys("common", "rdma");
        assertThat(diagnosis.problems()).isEmpty();
        DeviceInfo first = diagnosis.devices().getFirst().info();
        assertThat(Objects.requireNonNull(
                                diagnosis.devices().getFirst().features().get("RDMA"))
                        .facts())
                .containsEntry("transports", "rc")
                .containsEntry("largest message", "1073741824 bytes")
                .containsEntry("GID 0", RdmaCapabilities.gids(first).getFirst().toString());
    }

    @Test
    void reportsTheTypesOfGids() {
        RdmaCapabilities able = RdmaCapabilities.of(Device.list().getFirst());
        RdmaAddress linkLocal = RdmaAddress.gid("fe80:0:0:0:0:0:0:1");
        List<RdmaAddress> gids = List.of(linkLocal, linkLocal, RdmaAddress.gid(new byte[16]));

        FeatureReport report = RdmaProbe.report(
                "0000:03:00.0 (mlx5_0)", able, gids, index -> index == 0 ? Optional.empty() : Optional.of("RoCE v2"));

        assertThat(report.canRun()).isTrue();
        assertThat(report.facts())
                .containsEntry("GID 0", linkLocal.toString())
                .containsEntry("GID 1", linkLocal + " (RoCE v2)")
                .doesNotContainKey("GID 2");
    }

    @Test
    void reportsThatADeviceWithoutGidsCannotBeReached() {
        RdmaCapabilities able = RdmaCapabilities.of(Device.list().getFirst());
        List<RdmaAddress> none = Collections.nCopies(255, RdmaAddress.gid(new byte[16]));

        FeatureReport report = RdmaProbe.report("0000:03:00.0 (mlx5_0)", able, none, index -> Optional.empty());

        assertThat(report.canRun()).isFalse();
        assertThat(report.facts().keySet()).noneMatch(name -> name.startsWith("GID"));
        assertThat(report.problems())
                .containsExactly(new Problem(
                        "0000:03:00.0 (mlx5_0) has no GID, so no peer can reach it by RDMA.",
                        "Bring its network interface up with an address; on a DPU, use the device of a scalable function"
                                + " instead of that of the physical one."));
    }
}
