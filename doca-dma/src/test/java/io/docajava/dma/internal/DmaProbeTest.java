/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceInfo;
import io.docajava.core.doctor.Diagnosis;
import io.docajava.core.doctor.Doctor;
import io.docajava.core.doctor.FeatureReport;
import io.docajava.dma.DmaCapabilities;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class DmaProbeTest {

    @Test
    void isMadeByTheDoctor() {
        Diagnosis diagnosis = Doctor.examine();

        assertThat(diagnosis.features()).containsExactly("DMA", "graphs", "sync events");
        assertThat(diagnosis.canRun("DMA")).isTrue();
        assertThat(diagnosis.libraries().paths()).containsOnlyKeys("common", "dma");
        assertThat(diagnosis.problems()).isEmpty();
        assertThat(diagnosis.devices()).hasSameSizeAs(Device.list()).allSatisfy(device -> {
            DmaCapabilities limits = limits(device.info());
            FeatureReport dma = Objects.requireNonNull(device.features().get("DMA"));
            assertThat(dma.canRun()).isTrue();
            assertThat(dma.facts())
                    .containsExactly(
                            entry("largest copy", limits.maxBufferSize() + " bytes"),
                            entry("longest list", limits.maxListLength() + " buffers"),
                            entry("tasks", String.valueOf(limits.maxTasks())));
        });
    }

    private static DmaCapabilities limits(DeviceInfo info) {
        try (Device device = Device.open(info)) {
            return DmaCapabilities.of(device);
        }
    }
}
