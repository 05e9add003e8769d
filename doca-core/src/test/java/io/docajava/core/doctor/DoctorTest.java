/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.entry;

import io.docajava.core.device.Device;
import io.docajava.core.testing.OpenHandles;
import io.docajava.core.testing.Requirements;
import io.docajava.ffi.Backend;
import io.docajava.ffi.DocaLibrary;
import io.docajava.testing.NeedsEmulator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the findings of doca-core alone; the tests of other modules cover their features. */
@ExtendWith(OpenHandles.class)
class DoctorTest {

    @Test
    @NeedsEmulator
    void findsTheLibraries() {
        LibraryReport libraries = Doctor.examine().libraries();

        assertThat(libraries.backend()).contains(Backend.EMULATOR);
        assertThat(libraries.version())
                .hasValueSatisfying(
                        version -> assertThat(version.toString()).startsWith(Requirements.emulatedRelease() + "."));
        assertThat(libraries.paths()).containsOnlyKeys("common");
        assertThat(libraries.paths().get("common")).endsWith("/libdoca_common.so.2");
        assertThat(libraries.missing().isEmpty())
                .isEqualTo(DocaLibrary.load().missing("common").isEmpty());
    }

    @Test
    @NeedsEmulator
    void findsTheMachine() {
        MachineReport machine = Doctor.examine().machine();

        assertThat(machine.java()).isEqualTo(Runtime.version().toString());
        assertThat(machine.platform()).startsWith("Linux ");
        assertThat(machine.side()).contains(MachineReport.Side.DPU);
        assertThat(machine.nativeAccess()).isTrue();
        assertThat(machine.lockedMemory()).isEqualTo(Linux.lockedMemory());
    }

    @Test
    @NeedsEmulator
    void findsTheDevices() {
        Diagnosis diagnosis = Doctor.examine();

        assertThat(diagnosis.devices()).extracting(DeviceReport::info).isEqualTo(Device.list());
        assertThat(diagnosis.devices())
                .extracting(DeviceReport::canHaveRepresentors)
                .containsExactly(true, true, false, false);
        assertThat(diagnosis.problems()).isEmpty();
    }

    @Test
    @NeedsEmulator
    void findsWhatDevicesOfferOfDocaCore() {
        Requirements.waitingTasks();
        Diagnosis diagnosis = Doctor.examine();

        assertThat(diagnosis.devices())
                .allSatisfy(device -> assertThat(device.features())
                        .containsExactly(
                                entry("graphs", new FeatureReport(true, Map.of(), List.of())),
                                entry(
                                        "sync events",
                                        new FeatureReport(
                                                true,
                                                Map.of(
                                                        "across PCI", "export, import",
                                                        "by RDMA", "export, import",
                                                        "tasks", "add, get, set, wait equal, wait not equal"),
                                                List.of()))));
        assertThat(diagnosis.canRunAll(diagnosis.features())).isTrue();
    }

    @Test
    void knowsNoFeatureWithoutItsModule() {
        Diagnosis diagnosis = Doctor.examine();

        assertThat(diagnosis.features()).containsExactly("graphs", "sync events");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> diagnosis.canRun("DMA"))
                .withMessage(
                        "There is no feature \"DMA\" among [graphs, sync events], the features of the doca-java modules in use");
        assertThat(diagnosis.canRunAll(List.of())).isTrue();
    }
}
