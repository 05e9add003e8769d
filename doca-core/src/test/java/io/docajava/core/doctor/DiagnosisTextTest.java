/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DiagnosisTextTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0 bytes",
        "1023, 1023 bytes",
        "1024, 1 KiB",
        "1536, 1536 bytes",
        "67108864, 64 MiB",
        "4611686018427387904, 4 EiB"
    })
    void namesTheLargestUnitOfBytes(long bytes, String text) {
        assertThat(DiagnosisText.bytes(bytes)).isEqualTo(text);
    }
}
