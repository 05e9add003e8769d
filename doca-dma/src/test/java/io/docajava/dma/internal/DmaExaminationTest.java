/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.docajava.core.doctor.Diagnosis;
import io.docajava.core.doctor.Doctor;
import io.docajava.core.doctor.FeatureFindings;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class DmaExaminationTest {

    @Test
    void isMadeByTheDoctor() {
        Diagnosis diagnosis = Doctor.examine();

        assertThat(diagnosis.features()).containsExactly("DMA", "graphs", "sync events");
        assertThat(diagnosis.canRun("DMA")).isTrue();
        assertThat(diagnosis.libraries().paths()).containsOnlyKeys("common", "dma");
        assertThat(diagnosis.problems()).isEmpty();
        assertThat(diagnosis.devices()).hasSize(4).allSatisfy(device -> {
            FeatureFindings dma = Objects.requireNonNull(device.features().get("DMA"));
            assertThat(dma.canRun()).isTrue();
            assertThat(dma.facts())
                    .containsExactly(
                            entry("largest copy", "2097152 bytes"),
                            entry("longest list", "128 buffers"),
                            entry("tasks", "65536"));
        });
    }
}
