/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PciAddressTest {

    @ParameterizedTest
    @CsvSource({
        "03:00.0,0000:03:00.0",
        "0000:03:00.0,0000:03:00.0",
        "0001:aB:1F.7,0001:ab:1f.7",
        "ffff:ff:1f.7,ffff:ff:1f.7"
    })
    void readsBothSpellings(String text, String written) {
        assertThat(PciAddress.parse(text)).hasToString(written);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "03:00", "3:00.0", "03:00.8", "03:00.00", "000:03:00.0", "0000:03:00.0 ", "0g:00.0", "mlx5_0"
            })
    void refusesOtherSpellings(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PciAddress.parse(text))
                .withMessage("Not a PCI address: \"" + text + "\"; it is written like 03:00.0 or 0000:03:00.0");
    }

    @Test
    void refusesNumbersOutOfRange() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PciAddress.parse("03:20.0"))
                .withMessage("The PCI device is 0 to 0x1f, and not 0x20");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PciAddress(0x10000, 0, 0, 0))
                .withMessage("The PCI domain is 0 to 0xffff, and not 0x10000");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PciAddress(0, -1, 0, 0))
                .withMessage("The PCI bus is 0 to 0xff, and not 0xffffffff");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PciAddress(0, 0, 0, 8))
                .withMessage("The PCI function is 0 to 0x7, and not 0x8");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ar-EG", "tr", "hi-IN-u-nu-deva"})
    void isTheSameInAllLanguages(String language) {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag(language));
        try {
            assertThat(PciAddress.parse("12:0a.3")).hasToString("0000:12:0a.3");
        } finally {
            Locale.setDefault(before);
        }
    }
}
