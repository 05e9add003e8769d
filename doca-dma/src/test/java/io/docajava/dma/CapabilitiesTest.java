/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.device.Device;
import io.docajava.junit.DocaEmulator;
import org.junit.jupiter.api.Test;

/** Tests that the emulated device reports the capabilities of a BlueField-3 with the imitated release. */
class CapabilitiesTest {

    @Test
    @DocaEmulator
    void readsTheLimitsOfADevice() {
        Requirements.engine();
        try (Device device = Device.open(DmaContext::isSupported)) {
            assertThat(DmaCapabilities.of(device)).isEqualTo(new DmaCapabilities(2 * 1024 * 1024, 64, 65536));
        }
    }

    @Test
    void everyListedDeviceOfTheDpuCopies() {
        assertThat(Device.list()).isNotEmpty().allMatch(DmaContext::isSupported);
    }
}
