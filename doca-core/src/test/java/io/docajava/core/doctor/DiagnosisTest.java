/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.docajava.core.device.Device;
import io.docajava.core.doctor.MachineReport.HugePages;
import io.docajava.core.doctor.MachineReport.LockedMemory;
import io.docajava.core.doctor.MachineReport.Side;
import io.docajava.core.memory.HugePageSize;
import io.docajava.ffi.Backend;
import io.docajava.ffi.DocaVersion;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DiagnosisTest {

    private static final LibraryReport NO_LIBRARIES =
            new LibraryReport(Optional.empty(), Optional.empty(), Map.of(), Optional.empty(), Map.of());

    private static final LibraryReport LIBRARIES = new LibraryReport(
            Optional.of(Backend.SDK),
            Optional.of(DocaVersion.parse("2.9.1")),
            Map.of("common", "/sdk/libdoca_common.so.2"),
            Optional.of("/cache/libdocajava_pe_on_workq.so"),
            Map.of(
                    "common",
                    new TreeMap<>(Map.of(
                            "doca_b", DocaVersion.parse("3.2"),
                            "doca_a", DocaVersion.parse("3.2"),
                            "doca_c", DocaVersion.parse("3.0")))));

    @Test
    void isARunIfOneDeviceDoes() {
        Diagnosis diagnosis = diagnosis(
                LIBRARIES,
                machine(OptionalLong.empty(), false),
                List.of(device(Map.of("DMA", FeatureReport.none())), device(Map.of("DMA", running()))));

        assertThat(diagnosis.canRun("DMA")).isTrue();
        assertThat(diagnosis.canRun("RDMA")).isFalse();
        assertThat(diagnosis.canRunAll(List.of("DMA", "RDMA"))).isFalse();
    }

    @Test
    void refusesFeaturesThatThereAreNot() {
        Diagnosis diagnosis = diagnosis(LIBRARIES, machine(OptionalLong.empty(), false), List.of());

        for (String unknown : List.of("dma", "")) {
            String message = "There is no feature \"" + unknown
                    + "\" among [DMA, RDMA], the features of the doca-java modules in use";
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> diagnosis.canRun(unknown))
                    .withMessage(message);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> diagnosis.canRunAll(List.of("DMA", unknown)))
                    .withMessage(message);
        }
    }

    @Test
    @SuppressWarnings("NullAway") // simulates callers without a null checker
    void refusesNull() {
        Diagnosis diagnosis = diagnosis(LIBRARIES, machine(OptionalLong.empty(), false), List.of());

        assertThatNullPointerException()
                .isThrownBy(() -> diagnosis.canRun(null))
                .withMessage("feature");
        assertThatNullPointerException()
                .isThrownBy(() -> diagnosis.canRunAll(Collections.singleton(null)))
                .withMessage("wanted[0] is null");
        assertThatNullPointerException()
                .isThrownBy(() -> diagnosis.canRunAll(null))
                .withMessage("wanted");
    }

    @Test
    void isAReport() {
        Diagnosis diagnosis = diagnosis(
                LIBRARIES,
                machine(OptionalLong.of(8 << 20), true),
                List.of(device(Map.of("DMA", running(), "RDMA", FeatureReport.none()))));

        assertThat(diagnosis.toString())
                .contains("Libraries\n  back end              sdk\n  version               2.9.0001\n")
                .contains("\n  libdoca_common        /sdk/libdoca_common.so.2\n")
                .contains("\n  translated by         /cache/libdocajava_pe_on_workq.so\n")
                .contains("\n  not in common         doca_c (DOCA 3.0)\n")
                .contains("\n  not in common         doca_a, doca_b (DOCA 3.2)\n")
                .contains("\n  side                  DPU\n  native access         granted\n")
                .contains("\n  locked memory         up to 8 MiB, and more as this process has CAP_IPC_LOCK\n")
                .contains("\n  huge pages            2 MiB: 3 of 4 free\n")
                .contains("\nDevices\n  0000:03:00.0 (mlx5_0)\n")
                .contains("\n    DMA                 yes\n      largest copy      2 bytes\n")
                .contains("\n    RDMA                no\n")
                .contains("\nResult\n  DMA                   can run\n  RDMA                  cannot run\n")
                .endsWith(
                        "\nProblems\n  1. First\n     of two lines\n     Next: Do this.\n  2. Second\n     Next: Do that.\n");
    }

    @Test
    void saysWhatIsAssumedOfTheLibraries() {
        LibraryReport old = new LibraryReport(
                Optional.of(Backend.SDK),
                Optional.of(DocaVersion.parse("1.4.0079")),
                Map.of(),
                Optional.of("/cache/libdocajava_pe_on_workq.so"),
                Map.of());

        assertThat(diagnosis(old, machine(OptionalLong.empty(), false), List.of())
                        .toString())
                .contains("""
                          translated by         /cache/libdocajava_pe_on_workq.so
                          assumed               num_bytes_to_copy is the last member of a DMA job
                          assumed               the number of a DMA job is 65537, as in DOCA 1.5
                          assumed               jobs and events have the layout of DOCA 1.5
                          checked by            a copy of 24 bytes before a process uses DMA
                        """);
    }

    @Test
    void reportsThatNothingWasFound() {
        Diagnosis diagnosis = new Diagnosis(
                NO_LIBRARIES,
                new MachineReport(
                        "25",
                        "Linux amd64",
                        Optional.empty(),
                        false,
                        new LockedMemory(OptionalLong.empty(), false),
                        List.of()),
                List.of(),
                List.of("DMA"),
                List.of());

        assertThat(diagnosis.toString()).isEqualTo("""
                        Libraries
                          back end              none
                        Machine
                          Java                  25
                          platform              Linux amd64
                          side                  unknown, as there is no device
                          native access         not granted
                          locked memory         unlimited
                        Devices
                          none
                        Result
                          DMA                   cannot run
                        Problems
                          none
                        """);
    }

    private static FeatureReport running() {
        return new FeatureReport(true, Map.of("largest copy", "2 bytes"), List.of());
    }

    private static DeviceReport device(Map<String, FeatureReport> features) {
        return new DeviceReport(Device.list().getFirst(), true, new TreeMap<>(features));
    }

    private static MachineReport machine(OptionalLong limit, boolean privileged) {
        return new MachineReport(
                "25",
                "Linux amd64",
                Optional.of(Side.DPU),
                true,
                new LockedMemory(limit, privileged),
                List.of(new HugePages(HugePageSize.MIB_2, 4, 3)));
    }

    private static Diagnosis diagnosis(LibraryReport libraries, MachineReport machine, List<DeviceReport> devices) {
        return new Diagnosis(
                libraries,
                machine,
                devices,
                List.of("DMA", "RDMA"),
                List.of(new Problem("First\nof two lines", "Do this."), new Problem("Second", "Do that.")));
    }
}
