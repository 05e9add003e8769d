/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.device.Device;
import org.junit.jupiter.api.Test;

/** The emulated device answers as a BlueField-3 does. */
class CapabilitiesTest {

    @Test
    @NeedsEmulator
    void tellsTheLimitsOfADevice() {
        Requirements.engine();
        try (Device device = Device.open(DmaContext::isSupported)) {
            assertThat(DmaCapabilities.of(device)).isEqualTo(new DmaCapabilities(2 * 1024 * 1024, 128, 65536));
        }
    }

    @Test
    void everyListedDeviceOfTheDpuCopies() {
        assertThat(Device.list()).isNotEmpty().allMatch(DmaContext::isSupported);
    }
}
