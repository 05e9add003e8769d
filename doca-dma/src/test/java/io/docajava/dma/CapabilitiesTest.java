/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceInfo;
import org.junit.jupiter.api.Test;

/** The emulated device answers as a BlueField-3 does. */
class CapabilitiesTest {

    @Test
    void tellsTheLimitsOfADevice() {
        try (Device device = Device.open(DmaContext::isSupported)) {
            assertThat(DmaCapabilities.of(device)).isEqualTo(new DmaCapabilities(2 * 1024 * 1024, 128, 65536));
        }
    }

    @Test
    void everyListedDeviceOfTheDpuCopies() {
        assertThat(Device.list()).isNotEmpty().allMatch(DmaContext::isSupported);
    }

    @Test
    void aDeviceThatIsNotThereCopiesNothing() {
        DeviceInfo listed = Device.list().getFirst();
        DeviceInfo gone = new DeviceInfo(
                listed.pciAddress(),
                listed.ibDevice().map(name -> name + "_gone"),
                listed.networkInterface(),
                listed.networkInterfaceIndex(),
                listed.macAddress(),
                listed.ipv4(),
                listed.ipv6(),
                listed.lid(),
                listed.vhcaId(),
                listed.functionType(),
                listed.subFunctionIndex(),
                listed.activeRate());
        assertThat(DmaContext.isSupported(gone)).isFalse();
    }
}
