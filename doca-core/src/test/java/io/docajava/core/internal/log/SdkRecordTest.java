/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.DocaLogLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.event.Level;

class SdkRecordTest {

    @ParameterizedTest
    @CsvSource({
        "CRT,CRIT,ERROR",
        "ERR,ERROR,ERROR",
        "WRN,WARNING,WARN",
        "INF,INFO,INFO",
        "DBG,DEBUG,DEBUG",
        "TRC,TRACE,TRACE"
    })
    void readsTheLevel(String tag, DocaLogLevel level, Level slf4jLevel) {
        SdkRecord record = parse("[12:34:56:123456][4711][DOCA][" + tag + "][file.c:42][function] text\n");

        assertThat(record).isEqualTo(new SdkRecord(level, "text"));
        assertThat(record.slf4jLevel()).isEqualTo(slf4jLevel);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[12:34:56:123456][4711][DOCA][WRN][file.c:42][function] [some] {} text",
                "[12:34:56:123456][DOCA][WRN][SOURCE:42]: [some] {} text",
                "[DOCA][WRN] [some] {} text"
            })
    void readsTheTextOfAllReleases(String line) {
        assertThat(parse(line)).isEqualTo(new SdkRecord(DocaLogLevel.WARNING, "[some] {} text"));
    }

    @Test
    void keepsTheLinesOfALongText() {
        String text = "first\nsecond\n".repeat(500) + "end";

        assertThat(parse("[12:34:56:123456][4711][DOCA][ERR][file.c:42][function] " + text + "\n")
                        .text())
                .isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "text", "[12:34:56][4711][DOCA][XYZ][file.c:42][function] text", "[DOCA][ERR"})
    void takesUnknownFormsWhole(String line) {
        assertThat(parse(line + "\n")).isEqualTo(new SdkRecord(DocaLogLevel.INFO, line));
    }

    @Test
    void survivesBracketsWithoutEnd() {
        String line = "[]".repeat(100_000);

        assertThat(parse(line).text()).isEqualTo(line);
    }

    private static SdkRecord parse(String line) {
        return SdkRecord.parse(line, DocaLogLevel.INFO);
    }
}
