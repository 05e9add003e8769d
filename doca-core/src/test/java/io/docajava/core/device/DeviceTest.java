/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.docajava.core.internal.device.DeviceImpl;
import io.docajava.core.internal.device.DeviceProperties;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.testing.LogCapture;
import io.docajava.core.testing.OpenHandles;
import io.docajava.core.testing.OtherThread;
import io.docajava.core.testing.Requirements;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.testing.NeedsEmulator;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(OpenHandles.class)
class DeviceTest {

    private static final String ALL =
            Device.list().stream().map(DeviceInfo::displayName).collect(Collectors.joining(", "));

    @Test
    @NeedsEmulator
    void listsTheDevicesInTheOrderOfTheSdk() {
        assertThat(Device.list())
                .extracting(DeviceInfo::displayName)
                .containsExactly(
                        "0000:03:00.0 (mlx5_0)",
                        "0000:03:00.1 (mlx5_1)",
                        "0000:03:00.0 (mlx5_2)",
                        "0000:03:00.1 (mlx5_3)");
    }

    @Test
    @NeedsEmulator
    void readsThePropertiesOfAPhysicalFunction() {
        Requirements.function("doca_devinfo_get_pci_func_type");
        DeviceInfo info = Device.list().getFirst();

        assertThat(info.pciAddress()).isEqualTo(new PciAddress(0, 3, 0, 0));
        assertThat(info.ibDevice()).contains("mlx5_0");
        assertThat(info.networkInterface()).contains("p0");
        assertThat(info.networkInterfaceIndex()).hasValue(2);
        assertThat(info.macAddress()).contains("02:d0:ca:00:00:00");
        assertThat(info.ipv4()).isEmpty();
        assertThat(info.ipv6().orElseThrow().isLinkLocalAddress()).isTrue();
        assertThat(info.lid()).isEmpty();
        assertThat(info.vhcaId()).hasValue(0);
        assertThat(info.functionType()).contains(PciFunctionType.PHYSICAL);
        assertThat(info.subFunctionIndex()).isEmpty();
        assertThat(info.uplinkPort()).hasValue(1);
        assertThat(info.dataDirectPciAddress()).isEmpty();
        assertThat(info.hotplugManager()).isFalse();
        assertThat(info.notificationModeration()).isFalse();
        assertThat(info.acceleratedResourceReclaim()).isFalse();
        assertThat(info.activeRate()).hasValue(200_000_000_000L);
        assertThat(info)
                .hasToString("DeviceInfo[pciAddress=0000:03:00.0, ibDevice=mlx5_0, networkInterface=p0,"
                        + " networkInterfaceIndex=2, macAddress=02:d0:ca:00:00:00, ipv6="
                        + info.ipv6().orElseThrow() + ", vhcaId=0, functionType=PHYSICAL, uplinkPort=1,"
                        + " hotplugManager=false, notificationModeration=false, acceleratedResourceReclaim=false,"
                        + " activeRate=200000000000]");
    }

    @Test
    @NeedsEmulator
    void readsThePropertiesOfAScalableFunction() {
        Requirements.function("doca_devinfo_get_pci_func_type");
        DeviceInfo info = Device.list().get(2);

        assertThat(info.functionType()).contains(PciFunctionType.SCALABLE);
        assertThat(info.subFunctionIndex()).hasValue(0);
    }

    @Test
    void listsValuesThatAreEqualAndNoneElsewhere() {
        List<DeviceInfo> devices = Device.list();

        assertThat(Device.list()).isEqualTo(devices).hasSameHashCodeAs(devices).doesNotHaveDuplicates();
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> devices.remove(0));
    }

    @Test
    void logsNoErrorForPropertiesThatADeviceLacks() {
        try (LogCapture log = LogCapture.ofSdk()) {
            Device.list();

            assertThat(log.lines()).noneMatch(line -> line.startsWith("ERROR") || line.startsWith("WARN"));
        }
    }

    @Test
    void opensTheFirstThatAFilterChooses() {
        try (Device device = Device.open(DeviceFilter.pciAddress("03:00.1"))) {
            assertThat(device.info().ibDevice()).contains("mlx5_1");
            assertThat(device).hasToString("Device 0000:03:00.1 (mlx5_1)");
        }
    }

    @Test
    void opensWhatWasListed() {
        for (DeviceInfo info : Device.list()) {
            try (Device device = Device.open(info)) {
                assertThat(device.info()).isEqualTo(info);
            }
        }
    }

    @Test
    void knowsADeviceAgainWhoseAddressesHaveChanged() {
        DeviceInfo now = Device.list().getLast();
        DeviceInfo before = new DeviceProperties(
                now.pciAddress(),
                now.ibDevice(),
                Optional.of("renamed"),
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                OptionalInt.of(7),
                now.vhcaId(),
                now.functionType(),
                now.subFunctionIndex(),
                now.uplinkPort(),
                now.dataDirectPciAddress(),
                now.hotplugManager(),
                now.notificationModeration(),
                now.acceleratedResourceReclaim(),
                OptionalLong.empty());

        try (Device device = Device.open(before)) {
            assertThat(device.info()).isEqualTo(now);
        }
    }

    @Test
    void namesWhatWasSoughtAndWhatThereIs() {
        assertThatExceptionOfType(DeviceNotFoundException.class)
                .isThrownBy(() -> Device.open(DeviceFilter.pciAddress("04:00.0")))
                .withMessage("No DOCA device with PCI address 0000:04:00.0; this machine has " + ALL);
        assertThatExceptionOfType(DeviceNotFoundException.class)
                .isThrownBy(() -> Device.open(DeviceFilter.networkInterface("p9")
                        .and(DeviceFilter.ibDevice("mlx5_0")
                                .or(DeviceFilter.pciAddress("03:00.0"))
                                .negate())))
                .withMessage("No DOCA device with network interface p9 and not ((InfiniBand name mlx5_0 or PCI address"
                        + " 0000:03:00.0)); this machine has " + ALL);
        assertThatExceptionOfType(DeviceNotFoundException.class)
                .isThrownBy(() -> Device.open(device -> false))
                .withMessage("No DOCA device with a property asked for in code; this machine has " + ALL);
    }

    @Test
    void letsTheExceptionOfAFilterPass() {
        ArithmeticException thrown = new ArithmeticException("in a filter");

        assertThatExceptionOfType(ArithmeticException.class)
                .isThrownBy(() -> Device.open(device -> {
                    throw thrown;
                }))
                .isSameAs(thrown);
    }

    @Test
    void opensADeviceManyTimes() {
        Device first = Device.open(DeviceFilter.ibDevice("mlx5_0"));
        Device second = Device.open(DeviceFilter.ibDevice("mlx5_0"));
        assertThat(DeviceImpl.address(first)).isEqualTo(DeviceImpl.address(second));

        first.close();

        try (Mmap map = Mmap.allocate(second, 64, Access.LOCAL_READ_WRITE)) {
            assertThat(map.byteSize()).isEqualTo(64);
        }
        second.close();
    }

    @Test
    void closesOnceAndRefusesUseAfterwards() {
        Device device = Device.open(DeviceFilter.any());

        device.close();
        device.close();

        assertThatIllegalStateException()
                .isThrownBy(() -> DeviceImpl.address(device))
                .withMessage("Device 0000:03:00.0 (mlx5_0) is closed");
        assertThatIllegalStateException()
                .isThrownBy(() -> Mmap.allocate(device, 64, Access.LOCAL_READ_WRITE))
                .withMessage("Device 0000:03:00.0 (mlx5_0) is closed");
        assertThat(device.info().ibDevice()).contains("mlx5_0");
    }

    @Test
    void doesNotCloseBeforeWhatUsesIt() {
        try (Device device = Device.open(DeviceFilter.any())) {
            Mmap small = Mmap.allocate(device, 64, Access.LOCAL_READ_WRITE);
            Mmap large = Mmap.allocate(device, 128, Access.LOCAL_READ_WRITE);

            assertThatIllegalStateException()
                    .isThrownBy(device::close)
                    .withMessage("Device 0000:03:00.0 (mlx5_0) cannot be closed while in use by: Mmap of 64 bytes on"
                            + " 0000:03:00.0 (mlx5_0), Mmap of 128 bytes on 0000:03:00.0 (mlx5_0)");

            large.close();
            small.close();
        }
    }

    @Test
    void isClosedByAnyThread() throws InterruptedException {
        Device device = Device.open(DeviceFilter.any());

        assertThat(OtherThread.thrownBy(device::close)).isNull();

        assertThatIllegalStateException().isThrownBy(() -> DeviceImpl.address(device));
    }

    @Test
    void answersQuestionsAboutDevicesThatAreNotOpen() {
        DeviceInfo info = Device.list().get(1);

        Optional<Long> address = DeviceImpl.ask(info, MemorySegment::address);

        assertThat(address).isPresent();
        assertThat(address.orElseThrow()).isNotZero();
    }

    @Test
    void answersNothingAboutDevicesThatAreGone() {
        DeviceInfo there = Device.list().getFirst();
        DeviceInfo gone = new DeviceProperties(
                PciAddress.parse("7f:00.0"),
                there.ibDevice(),
                there.networkInterface(),
                there.networkInterfaceIndex(),
                there.macAddress(),
                there.ipv4(),
                there.ipv6(),
                there.lid(),
                there.vhcaId(),
                there.functionType(),
                there.subFunctionIndex(),
                there.uplinkPort(),
                there.dataDirectPciAddress(),
                there.hotplugManager(),
                there.notificationModeration(),
                there.acceleratedResourceReclaim(),
                there.activeRate());

        assertThat(DeviceImpl.ask(gone, device -> DocaCommon.doca_dev_open(device, device)))
                .isEmpty();
        assertThatExceptionOfType(DeviceNotFoundException.class)
                .isThrownBy(() -> Device.open(gone))
                .withMessage("No DOCA device with the place and name 0000:7f:00.0 (mlx5_0); this machine has " + ALL);
    }

    @Test
    void isTheSameInAllLanguages() {
        Optional<String> macAddress = Device.list().getFirst().macAddress();
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG"));
        try (Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
                Mmap map = Mmap.allocate(device, 4096, Access.LOCAL_READ_WRITE)) {
            assertThat(map).hasToString("Mmap of 4096 bytes on 0000:03:00.0 (mlx5_0)");
            assertThat(device.info().macAddress()).isEqualTo(macAddress);
        } finally {
            Locale.setDefault(before);
        }
    }
}
