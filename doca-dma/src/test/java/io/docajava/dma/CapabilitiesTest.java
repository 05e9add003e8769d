/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.device.Device;
import io.docajava.ffi.DocaLibrary;
import io.docajava.junit.DocaEmulator;
import org.junit.jupiter.api.Test;

/** Tests that the emulated device reports the capabilities of a BlueField-3 with the imitated release. */
class CapabilitiesTest {

    @Test
    @DocaEmulator
    void readsTheLimitsOfADevice() {
        Requirements.engine();
        int listLength = DocaLibrary.load().version().isAtLeast(2, 6) ? 128 : 64;
        try (Device device = Device.open(DmaContext::isSupported)) {
            assertThat(DmaCapabilities.of(device)).isEqualTo(new DmaCapabilities(2 * 1024 * 1024, listLength, 65536));
        }
    }

    @Test
    void everyListedDeviceOfTheDpuCopies() {
        assertThat(Device.list()).isNotEmpty().allMatch(DmaContext::isSupported);
    }
}
