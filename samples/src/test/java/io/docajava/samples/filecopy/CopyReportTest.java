/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.filecopy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CopyReportTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0.00 KiB/s",
        "5, 1000000000, 0.00 KiB/s",
        "1047552, 1000000000, 1023.00 KiB/s",
        "1048576, 1000000000, 1.00 MiB/s",
        "1073741824, 1000000000, 1.00 GiB/s",
        "1073741824, 2000000000, 512.00 MiB/s",
        "109951162777600, 1000000000, 102400.00 GiB/s"
    })
    void choosesTheUnitOfARate(long bytes, long nanoseconds, String rate) {
        assertThat(CopyReport.rate(bytes, nanoseconds)).isEqualTo(rate);
    }
}
