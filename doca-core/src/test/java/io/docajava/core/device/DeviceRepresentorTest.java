/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.testing.ChildJvm;
import io.docajava.core.testing.LogCapture;
import io.docajava.core.testing.OpenHandles;
import io.docajava.core.testing.OtherThread;
import io.docajava.core.testing.Requirements;
import io.docajava.emulator.EmulatorEnvironment;
import io.docajava.testing.NeedsEmulator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(OpenHandles.class)
@NeedsEmulator
class DeviceRepresentorTest {

    private static final String ALL =
            "0000:0b:00.0 (pf0hpf), 0000:0b:00.2 (pf0vf0), 0000:0b:00.3 (pf0vf1), 0000:03:00.0 (en3f0pf0sf0)";
    private static final String NONE =
            ", which has none \\(only a DPU has representors, on the physical functions of its card\\):"
                    + " doca_devinfo_rep_create_list failed with DOCA_ERROR_NOT_SUPPORTED \\(Operation not supported\\):"
                    + " Device 0x[0-9a-f]+ \\(mlx5_\\d\\) has no representors of this kind";

    private Device device;

    @BeforeEach
    void open() {
        device = Device.open(DeviceFilter.ibDevice("mlx5_0"));
    }

    @AfterEach
    void close() {
        device.close();
    }

    @Test
    void listsThoseOfEachPort() {
        Requirements.function("doca_devinfo_rep_get_iface_name");
        assertThat(names(DeviceRepresentor.list(device)))
                .containsExactly(
                        "0000:0b:00.0 (pf0hpf)",
                        "0000:0b:00.2 (pf0vf0)",
                        "0000:0b:00.3 (pf0vf1)",
                        "0000:03:00.0 (en3f0pf0sf0)");
        assertThat(DeviceRepresentor.list(device, RepresentorKind.NET)).isEqualTo(DeviceRepresentor.list(device));
        try (Device other = Device.open(DeviceFilter.ibDevice("mlx5_1"))) {
            assertThat(names(DeviceRepresentor.list(other)))
                    .containsExactly("0000:0b:00.1 (pf1hpf)", "0000:0b:00.4 (pf1vf0)", "0000:03:00.1 (en3f1pf1sf0)");
        }
    }

    @Test
    void readsTheProperties() {
        Requirements.function("doca_devinfo_rep_get_iface_index");
        List<RepresentorInfo> representors = DeviceRepresentor.list(device);
        RepresentorInfo physical = representors.getFirst();
        RepresentorInfo virtual = representors.get(2);
        RepresentorInfo sub = representors.getLast();

        assertThat(physical.pciAddress()).isEqualTo(PciAddress.parse("0b:00.0"));
        assertThat(physical.vuid()).contains("EMULATED0001MLNXS0D0F0");
        assertThat(physical.networkInterface()).contains("pf0hpf");
        assertThat(physical.networkInterfaceIndex()).isPresent();
        assertThat(physical.functionType()).contains(PciFunctionType.PHYSICAL);
        assertThat(physical.hostIndex()).hasValue(0);
        assertThat(physical.physicalFunctionIndex()).hasValue(0);
        assertThat(physical.physicalFunctionVuid()).contains("EMULATED0001MLNXS0D0F0");
        assertThat(physical.virtualFunctionIndex()).isEmpty();
        assertThat(physical.subFunctionIndex()).isEmpty();
        assertThat(physical.virtualFunctions()).hasValue(2);
        assertThat(physical.vhcaId()).isPresent();
        assertThat(physical.infiniBandPort()).hasValue(1);
        assertThat(physical.dataDirectPciAddress()).isEmpty();
        assertThat(physical.hotplug()).isFalse();
        assertThat(physical.uplink()).isFalse();
        assertThat(physical.toString())
                .startsWith("RepresentorInfo[pciAddress=0000:0b:00.0, vuid=EMULATED0001MLNXS0D0F0,"
                        + " networkInterface=pf0hpf, networkInterfaceIndex=")
                .endsWith(", infiniBandPort=1, hotplug=false, uplink=false]");
        assertThat(DeviceRepresentor.list(device)).isEqualTo(representors).hasSameHashCodeAs(representors);

        assertThat(virtual.pciAddress()).isEqualTo(PciAddress.parse("0b:00.3"));
        assertThat(virtual.vuid()).contains("EMULATED0001MLNXS0D0F0VF2");
        assertThat(virtual.functionType()).contains(PciFunctionType.VIRTUAL);
        assertThat(virtual.physicalFunctionVuid()).isEqualTo(physical.vuid());
        assertThat(virtual.virtualFunctionIndex()).hasValue(1);
        assertThat(virtual.vhcaId()).isNotEqualTo(physical.vhcaId());

        assertThat(sub.pciAddress()).isEqualTo(PciAddress.parse("03:00.0"));
        assertThat(sub.vuid()).contains("EMULATED0001MLNXECD0F0SF0");
        assertThat(sub.functionType()).contains(PciFunctionType.SCALABLE);
        assertThat(sub.subFunctionIndex()).hasValue(0);
        assertThat(sub.virtualFunctionIndex()).isEmpty();
        assertThat(sub.networkInterfaceIndex()).isNotEqualTo(physical.networkInterfaceIndex());
    }

    @Test
    void logsNoErrorForPropertiesThatAFunctionLacks() {
        try (LogCapture log = LogCapture.ofSdk()) {
            DeviceRepresentor.list(device);

            assertThat(log.lines()).noneMatch(line -> line.startsWith("ERROR") || line.startsWith("WARN"));
        }
    }

    @Test
    void opensWhatAFilterChooses() {
        Requirements.function("doca_devinfo_rep_get_iface_name");
        try (DeviceRepresentor representor =
                DeviceRepresentor.open(device, RepresentorFilter.networkInterface("pf0vf0"))) {
            assertThat(representor.info().pciAddress()).isEqualTo(PciAddress.parse("0b:00.2"));
            assertThat(representor).hasToString("Representor 0000:0b:00.2 (pf0vf0)");
        }
        for (RepresentorInfo info : DeviceRepresentor.list(device)) {
            try (DeviceRepresentor representor = DeviceRepresentor.open(device, info)) {
                assertThat(representor.info()).isEqualTo(info);
            }
        }
    }

    @Test
    void filtersByEachProperty() {
        Requirements.function("doca_devinfo_rep_get_iface_name");
        RepresentorFilter virtual = representor -> representor
                .functionType()
                .filter(PciFunctionType.VIRTUAL::equals)
                .isPresent();

        assertThat(chosen(RepresentorFilter.any())).hasSize(4);
        assertThat(chosen(RepresentorFilter.pciAddress("0b:00.3"))).containsExactly("0000:0b:00.3 (pf0vf1)");
        assertThat(chosen(RepresentorFilter.vuid("EMULATED0001MLNXS0D0F0VF1")))
                .containsExactly("0000:0b:00.2 (pf0vf0)");
        assertThat(chosen(RepresentorFilter.networkInterface("pf0hpf").or(RepresentorFilter.pciAddress("0b:00.3"))))
                .containsExactly("0000:0b:00.0 (pf0hpf)", "0000:0b:00.3 (pf0vf1)");
        assertThat(chosen(virtual.and(RepresentorFilter.networkInterface("pf0vf1"))))
                .containsExactly("0000:0b:00.3 (pf0vf1)");
        assertThat(chosen(virtual.negate())).containsExactly("0000:0b:00.0 (pf0hpf)", "0000:03:00.0 (en3f0pf0sf0)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RepresentorFilter.pciAddress("b:0.0"))
                .withMessage("Not a PCI address: \"b:0.0\"; it is written like 03:00.0 or 0000:03:00.0");
    }

    @Test
    void namesWhatWasSoughtAndWhatThereIs() {
        Requirements.function("doca_devinfo_rep_get_iface_name");
        assertThatExceptionOfType(RepresentorNotFoundException.class)
                .isThrownBy(() -> DeviceRepresentor.open(device, RepresentorFilter.pciAddress("0b:00.1")))
                .withMessage("No representor with PCI address 0000:0b:00.1; 0000:03:00.0 (mlx5_0) has " + ALL);
        assertThatExceptionOfType(RepresentorNotFoundException.class)
                .isThrownBy(() -> DeviceRepresentor.open(
                        device,
                        RepresentorFilter.vuid("X")
                                .and(RepresentorFilter.any()
                                        .or(RepresentorFilter.networkInterface("y"))
                                        .negate())))
                .withMessage("No representor with VUID X and not ((any properties or network interface y));"
                        + " 0000:03:00.0 (mlx5_0) has " + ALL);
        assertThatExceptionOfType(RepresentorNotFoundException.class)
                .isThrownBy(() -> DeviceRepresentor.open(device, representor -> false))
                .withMessage("No representor with a property asked for in code; 0000:03:00.0 (mlx5_0) has " + ALL);
        RepresentorInfo elsewhere;
        try (Device other = Device.open(DeviceFilter.ibDevice("mlx5_1"))) {
            elsewhere = DeviceRepresentor.list(other).getFirst();
        }
        assertThatExceptionOfType(RepresentorNotFoundException.class)
                .isThrownBy(() -> DeviceRepresentor.open(device, elsewhere))
                .withMessage("No representor with the place and name 0000:0b:00.1 (pf1hpf); 0000:03:00.0 (mlx5_0) has "
                        + ALL);
    }

    @Test
    void letsTheExceptionOfAFilterPass() {
        ArithmeticException thrown = new ArithmeticException("in a filter");

        assertThatExceptionOfType(ArithmeticException.class)
                .isThrownBy(() -> DeviceRepresentor.open(device, representor -> {
                    throw thrown;
                }))
                .isSameAs(thrown);
    }

    @Test
    void isClosedBeforeItsDevice() throws InterruptedException {
        Requirements.function("doca_devinfo_rep_get_iface_name");
        DeviceRepresentor representor = DeviceRepresentor.open(device, RepresentorFilter.any());

        assertThatIllegalStateException()
                .isThrownBy(device::close)
                .withMessage("Device 0000:03:00.0 (mlx5_0) cannot be closed while in use by: Representor 0000:0b:00.0"
                        + " (pf0hpf)");

        assertThat(OtherThread.thrownBy(representor::close)).isNull();
        representor.close();
        assertThat(representor.info().networkInterface()).contains("pf0hpf");
    }

    @Test
    void keepsItsDeviceOpenWhileItLists() {
        assertThatIllegalStateException()
                .isThrownBy(() -> DeviceRepresentor.open(device, representor -> {
                    device.close();
                    return true;
                }))
                .withMessage(
                        "Device 0000:03:00.0 (mlx5_0) cannot be closed while in use by: list of the representors of"
                                + " 0000:03:00.0 (mlx5_0)");
    }

    @Test
    void needsADeviceThatIsOpen() {
        Device closed = Device.open(DeviceFilter.any());
        closed.close();

        assertThatIllegalStateException()
                .isThrownBy(() -> DeviceRepresentor.list(closed))
                .withMessage("Device 0000:03:00.0 (mlx5_0) is closed");
        assertThatIllegalStateException()
                .isThrownBy(() -> DeviceRepresentor.open(closed, RepresentorFilter.any()))
                .withMessage("Device 0000:03:00.0 (mlx5_0) is closed");
    }

    @Test
    void saysWhichDevicesHaveNone() {
        assertThat(Device.list().stream().map(DeviceRepresentor::isSupported))
                .containsExactly(true, true, false, false);
        try (Device scalable = Device.open(DeviceFilter.ibDevice("mlx5_2"))) {
            assertNotSupported(
                    () -> DeviceRepresentor.list(scalable),
                    "Listing all representors of 0000:03:00.0 \\(mlx5_2\\)" + NONE);
            assertNotSupported(
                    () -> DeviceRepresentor.open(scalable, RepresentorFilter.any()),
                    "Listing all representors of 0000:03:00.0 \\(mlx5_2\\)" + NONE);
        }
        assertNotSupported(
                () -> DeviceRepresentor.list(device, RepresentorKind.EMULATED),
                "Listing EMULATED representors of 0000:03:00.0 \\(mlx5_0\\)" + NONE);
    }

    private static void assertNotSupported(Runnable call, String message) {
        assertThatExceptionOfType(DocaCallException.class)
                .isThrownBy(call::run)
                .withMessageMatching(message)
                .satisfies(e -> assertThat(e.error()).isEqualTo(DocaError.NOT_SUPPORTED));
    }

    @Test
    void areNotThereOnTheHost() throws Exception {
        assertThat(new ChildJvm().environment(EmulatorEnvironment.ROLE, "host").run(OnTheHost.class))
                .hasSize(5)
                .allSatisfy(line ->
                        assertThat(line).matches("Listing all representors of 0000:0b:00.\\d \\(mlx5_\\d\\)" + NONE));
    }

    static final class OnTheHost {

        public static void main(String[] arguments) {
            for (DeviceInfo info : Device.list()) {
                try (Device device = Device.open(info)) {
                    DeviceRepresentor.list(device);
                } catch (DocaCallException e) {
                    System.out.println(e.getMessage());
                }
            }
        }
    }

    private static List<String> names(List<RepresentorInfo> representors) {
        return representors.stream().map(RepresentorInfo::displayName).toList();
    }

    private List<String> chosen(RepresentorFilter filter) {
        return names(
                DeviceRepresentor.list(device).stream().filter(filter::matches).toList());
    }
}
