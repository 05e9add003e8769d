/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.DocaException;
import io.docajava.core.testing.ChildJvm;
import io.docajava.core.testing.LogCapture;
import io.docajava.core.testing.Requirements;
import io.docajava.emulator.EmulatorEnvironment;
import io.docajava.testing.NeedsEmulator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests topologies other than the default one. */
@NeedsEmulator
class MachineTest {

    @TempDir
    Path folder;

    @Test
    void isEmptyWithoutDevices() throws Exception {
        assertThat(new ChildJvm()
                        .logging()
                        .environment(EmulatorEnvironment.TOPOLOGY, topology("# no devices"))
                        .run(Describe.class))
                .containsExactly(
                        "devices: 0",
                        "DeviceNotFoundException: No DOCA device with PCI address 0000:03:00.0: this machine has none",
                        "DEBUG No devices",
                        "DEBUG No devices");
    }

    @Test
    void isTheHostWhereAsked() throws Exception {
        assertThat(new ChildJvm()
                        .logging()
                        .environment(EmulatorEnvironment.ROLE, "host")
                        .run(Describe.class))
                .first()
                .isEqualTo("devices: 5");
    }

    @Test
    void hasEveryPropertyThatADeviceCanHave() throws Exception {
        Requirements.function("doca_devinfo_get_pci_func_type");
        assertThat(new ChildJvm()
                        .logging()
                        .environment(EmulatorEnvironment.TOPOLOGY, topology("""
                                        [dpu ib7]
                                        pci = 0001:82:1f.7
                                        iface = ibp130s0
                                        link = infiniband
                                        lid = 65535
                                        vhca_id = 65535
                                        rate = 400000000000
                                        ipv4 = 10.1.2.3
                                        ipv6 = 2001:db8::7
                                        """))
                        .run(Describe.class))
                .contains(
                        "devices: 1",
                        "DeviceInfo[pciAddress=0001:82:1f.7, ibDevice=ib7, networkInterface=ibp130s0,"
                                + " networkInterfaceIndex=2, ipv4=/10.1.2.3, ipv6=/2001:db8:0:0:0:0:0:7, lid=65535,"
                                + " vhcaId=65535, functionType=PHYSICAL, uplinkPort=1, hotplugManager=false,"
                                + " notificationModeration=false, acceleratedResourceReclaim=false,"
                                + " activeRate=400000000000]",
                        "DeviceNotFoundException: No DOCA device with PCI address 0000:03:00.0; this machine has"
                                + " 0001:82:1f.7 (ib7)");
    }

    @Test
    void saysWhyTheSdkCannotListItsDevices() throws Exception {
        String file = topology("[dpu mlx5_0]\npci = 3\n");

        assertThat(new ChildJvm()
                        .logging()
                        .environment(EmulatorEnvironment.TOPOLOGY, file)
                        .run(Describe.class))
                // Release 2.2 has no description of this error.
                .anyMatch(line ->
                        line.startsWith("DocaCallException: Listing the devices: doca_devinfo_create_list failed"
                                        + " with DOCA_ERROR_BAD_CONFIG (")
                                && line.endsWith("): Topology " + file
                                        + ":2: \"3\" is not a PCI address like 03:00.0 or 0000:03:00.0"));
    }

    private String topology(String text) throws IOException {
        return Files.writeString(folder.resolve("topology"), text).toString();
    }

    /** Prints the devices, the error of opening one, and the log of the SDK. */
    static final class Describe {

        public static void main(String[] arguments) {
            try (LogCapture log = LogCapture.ofSdk()) {
                try {
                    List<DeviceInfo> devices = Device.list();
                    System.out.println("devices: " + devices.size());
                    devices.forEach(System.out::println);
                    Device.open(DeviceFilter.pciAddress("03:00.0")).close();
                } catch (DocaException e) {
                    System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
                }
                log.lines().forEach(System.out::println);
            }
        }
    }
}
