/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocaVersionTest {

    @ParameterizedTest
    @CsvSource({
        "2.5.0108, 2, 5, 108, 2.5.0108",
        "3.2.1025, 3, 2, 1025, 3.2.1025",
        "2.10.0087, 2, 10, 87, 2.10.0087",
        "2.9, 2, 9, 0, 2.9.0000",
        "3.0.0058-1, 3, 0, 58, 3.0.0058",
        "' 2.9.2008 ', 2, 9, 2008, 2.9.2008",
        "3.1.105000, 3, 1, 105000, 3.1.105000"
    })
    void readsWhatTheSdkPrintsAndPrintsItTheSame(String text, int major, int minor, int patch, String printed) {
        DocaVersion version = DocaVersion.parse(text);

        assertThat(version).isEqualTo(new DocaVersion(major, minor, patch)).hasToString(printed);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2",
                "2.",
                "two.five",
                "2.5.x",
                "-2.5",
                "2.5.0108.1",
                "99999999999.1",
                "2.5-a\nb",
                "2.5+a\u2028b"
            })
    void refusesWhatIsNoVersion(String text) {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> DocaVersion.parse(text))
                .withMessage("Not a DOCA version: \"%s\" (expected like 2.5.0108)", text);
    }

    @Test
    void refusesNegativeParts() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> new DocaVersion(2, -5, 0))
                .withMessage("A DOCA version has no negative part: 2.-5.0");
    }

    @Test
    void ordersByNumberAndNotByText() {
        assertThat(DocaVersion.parse("2.10.0087"))
                .isGreaterThan(DocaVersion.parse("2.9.4"))
                .isLessThan(DocaVersion.parse("3.0.0058"));
        assertThat(DocaVersion.parse("2.5.0108")).isLessThan(DocaVersion.parse("2.5.0109"));
    }

    @Test
    void everyBuildOfAReleaseIsAtLeastThatRelease() {
        DocaVersion version = DocaVersion.parse("2.9.0072");

        assertThat(version.isAtLeast(2, 9)).isTrue();
        assertThat(version.isAtLeast(2, 5)).isTrue();
        assertThat(version.isAtLeast(2, 10)).isFalse();
        assertThat(version.isAtLeast(3, 0)).isFalse();
    }

    @Test
    void printsTheSameDigitsInEveryLocale() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        try {
            assertThat(new DocaVersion(2, 5, 108)).hasToString("2.5.0108");
        } finally {
            Locale.setDefault(before);
        }
    }
}
