/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.device.DeviceInfo;
import io.docajava.core.device.DeviceRepresentor;
import io.docajava.core.testing.ChildJvm;
import io.docajava.core.testing.OpenHandles;
import io.docajava.core.testing.Requirements;
import io.docajava.emulator.EmulatorEnvironment;
import io.docajava.testing.NeedsEmulator;
import java.lang.foreign.Arena;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which maps can be exported for PCI, and which cannot. */
@ExtendWith(OpenHandles.class)
class MmapExportPciTest {

    @Test
    @NeedsEmulator
    void exportsFromTheHost() throws Exception {
        assertThat(new ChildJvm().environment(EmulatorEnvironment.ROLE, "host").run(OnTheHost.class))
                .containsExactly(
                        "all devices can export: true, have representors: false",
                        "the export is of the map: true",
                        "again the same: true",
                        "by the other device another one: true",
                        "while it is exported, it closes: true");
    }

    static final class OnTheHost {

        public static void main(String[] arguments) {
            System.out.println("all devices can export: "
                    + Device.list().stream().allMatch(MmapCapabilities::isExportPciSupported) + ", have representors: "
                    + Device.list().stream().anyMatch(DeviceRepresentor::isSupported));
            Access access = Access.PCI_READ_WRITE.plus(Access.LOCAL_READ_WRITE);
            try (Device first = Device.open(DeviceFilter.pciAddress("0b:00.0"));
                    Device second = Device.open(DeviceFilter.pciAddress("0b:00.3"))) {
                Mmap map = Mmap.builder()
                        .device(first)
                        .device(second)
                        .access(access)
                        .allocate(100);
                MmapExport export = map.exportPci(first);
                System.out.println("the export is of the map: "
                        + export.equals(
                                MmapExport.of(export.descriptor(), map.segment().address(), 100, access)));
                System.out.println("again the same: " + map.exportPci(first).equals(export));
                System.out.println("by the other device another one: "
                        + !map.exportPci(second).equals(export));
                map.close();
                System.out.println("while it is exported, it closes: "
                        + !map.segment().scope().isAlive());
            }
        }
    }

    @Test
    void refusesToExportWhatCannotBe() {
        try (Device device = Device.open(DeviceFilter.ibDevice("mlx5_0"));
                Device other = Device.open(DeviceFilter.ibDevice("mlx5_1"));
                Mmap map = Mmap.allocate(device, 64, Access.PCI_READ_ONLY)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> map.exportPci(other))
                    .withMessage(
                            "Mmap of 64 bytes on 0000:03:00.0 (mlx5_0) cannot be exported to 0000:03:00.1 (mlx5_1),"
                                    + " which is none of its devices");
            for (Access access : new Access[] {
                Access.LOCAL_READ_WRITE,
                Access.LOCAL_READ_WRITE.plus(Access.RDMA_READ).plus(Access.RDMA_WRITE),
                Access.PCI_RELAXED_ORDERING
            }) {
                Requirements.access(device, access);
                try (Mmap local = Mmap.allocate(device, 64, access)) {
                    assertThatIllegalArgumentException()
                            .isThrownBy(() -> local.exportPci(device))
                            .withMessage("Mmap of 64 bytes on 0000:03:00.0 (mlx5_0) cannot be exported: its access is "
                                    + access + ", and it needs PCI_READ_ONLY or PCI_READ_WRITE");
                }
            }
        }
    }

    @Test
    void refusesToExportWhatIsClosed() {
        Device device = Device.open(DeviceFilter.any());
        Mmap map = Mmap.allocate(device, 64, Access.PCI_READ_ONLY);
        map.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> map.exportPci(device))
                .withMessage("Mmap of 64 bytes on 0000:03:00.0 (mlx5_0) is closed");
        try (Device again = Device.open(DeviceFilter.any());
                Mmap open = Mmap.allocate(again, 64, Access.PCI_READ_ONLY)) {
            device.close();
            assertThatIllegalStateException()
                    .isThrownBy(() -> open.exportPci(device))
                    .withMessage("Device 0000:03:00.0 (mlx5_0) is closed");
            Arena arena = Arena.ofShared();
            try (Mmap freed = Mmap.registerUnchecked(again, arena.allocate(64, 64), Access.PCI_READ_ONLY)) {
                arena.close();
                assertThatIllegalStateException()
                        .isThrownBy(() -> freed.exportPci(again))
                        .withMessage(
                                "The memory of Mmap of 64 bytes on 0000:03:00.0 (mlx5_0) was freed while it was mapped");
            }
        }
    }

    @Test
    void knowsWhatADeviceCanDo() {
        for (DeviceInfo device : Device.list()) {
            assertThat(MmapCapabilities.of(device))
                    .isEqualTo(new MmapCapabilities(
                            MmapCapabilities.isExportPciSupported(device),
                            MmapCapabilities.isCreateFromExportPciSupported(device)));
        }
    }

    /** Before release 2.5, memory crosses the PCI bus only from a host to its DPU. */
    @ParameterizedTest
    @NeedsEmulator
    @CsvSource({
        "1.4, dpu, false, true",
        "1.4, host, true, false",
        "1.5, dpu, false, true",
        "1.5, host, true, false",
        "2.2, dpu, false, true",
        "2.2, host, true, false",
        "2.5, dpu, true, true",
        "2.5, host, true, true",
        "3.0, dpu, true, true",
        "3.0, host, true, true"
    })
    void theReleaseDecidesWhichSideExports(String release, String side, boolean exports, boolean imports)
            throws Exception {
        List<String> lines = new ChildJvm()
                .environment("DOCA_EMULATOR_RELEASE", release)
                .environment(EmulatorEnvironment.ROLE, side)
                .run(Capabilities.class);

        // Libraries of 1.x log to the output of the program.
        assertThat(lines)
                .filteredOn(line -> !line.contains("][DOCA][ERR]["))
                .containsExactly(new MmapCapabilities(exports, imports).toString());
    }

    static final class Capabilities {

        public static void main(String[] arguments) {
            Device.list().stream().map(MmapCapabilities::of).distinct().forEach(System.out::println);
            try (Device device = Device.open(DeviceFilter.any());
                    Mmap map = Mmap.allocate(device, 64, Access.PCI_READ_ONLY)) {
                if (MmapCapabilities.isExportPciSupported(device.info())) {
                    map.exportPci(device);
                    return;
                }
                try {
                    map.exportPci(device);
                    System.out.println("exported without the capability");
                } catch (DocaCallException refusal) {
                    if (refusal.error() != DocaError.NOT_SUPPORTED) {
                        throw refusal;
                    }
                }
            }
        }
    }
}
