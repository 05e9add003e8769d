/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrivacyTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            mac 0c:42:a1:7f:00:1b, mlx5_0            | mac MAC, mlx5_0
            "ipv4" : "192.168.100.2"                 | "ipv4" : "IPV4"
            gid fe80::e42:a1ff:fe7f:1b               | gid IPV6
            gid fe80:0000:0000:0000:0e42:a1ff:fe7f:1b00 | gid GUID
            guid 0c42:a103:007f:001b                 | guid GUID
            Serial Number: MT2211X02345              | Serial Number: SERIAL
            0000:03:00.0 (mlx5_0), DOCA 3.0.0058     | 0000:03:00.0 (mlx5_0), DOCA 3.0.0058
            listens on 127.0.0.1                     | listens on 127.0.0.1
            [20:32:19:501970][1][DOCA][WRN]          | [20:32:19:501970][1][DOCA][WRN]
            """)
    void hidesWhatIdentifiesAMachine(String text, String hidden) {
        assertThat(Privacy.hiding().apply(text)).isEqualTo(hidden);
        assertThat(Privacy.showingAll().apply(text)).isEqualTo(text);
    }
}
