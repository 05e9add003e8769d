/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.testing.LogCapture;
import io.docajava.core.testing.OpenHandles;
import io.docajava.core.testing.Requirements;
import io.docajava.ffi.Backend;
import io.docajava.testing.NeedsEmulator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(OpenHandles.class)
class DocaTest {

    @AfterEach
    void restoreLevel() {
        Doca.setSdkLogLevel(DocaLogLevel.WARNING);
    }

    @Test
    @NeedsEmulator
    void saysWhatIsLoaded() {
        Doca.load();

        assertThat(Doca.backend()).isEqualTo(Backend.EMULATOR);
        assertThat(Doca.version().toString()).startsWith(Requirements.emulatedRelease() + ".");
    }

    @Test
    @NeedsEmulator
    void logsWarningsAndErrorsOfTheSdkByDefault() {
        assertThat(Doca.sdkLogLevel()).isEqualTo(DocaLogLevel.WARNING);
        try (LogCapture log = LogCapture.ofSdk()) {
            Device.open(DeviceFilter.any()).close();

            assertThat(log.lines()).isEmpty();
        }
    }

    @Test
    @NeedsEmulator
    void logsAsMuchOfTheSdkAsIsAskedFor() {
        Requirements.ownLog();
        Doca.setSdkLogLevel(DocaLogLevel.INFO);

        assertThat(Doca.sdkLogLevel()).isEqualTo(DocaLogLevel.INFO);
        try (LogCapture log = LogCapture.ofSdk()) {
            Device.open(DeviceFilter.any()).close();

            assertThat(log.lines())
                    .hasSize(2)
                    .first()
                    .asString()
                    .matches("INFO Device 0x[0-9a-f]+ \\(mlx5_0, 0000:03:00\\.0\\) was opened");
            assertThat(log.lines()).last().asString().matches("INFO Device 0x[0-9a-f]+ was closed");
        }
    }

    @Test
    void convertsLevelsToNumbersAndBack() {
        assertThat(DocaLogLevel.values()).extracting(DocaLogLevel::value).containsExactly(10, 20, 30, 40, 50, 60, 70);
        assertThat(DocaLogLevel.of(50)).isEqualTo(DocaLogLevel.INFO);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DocaLogLevel.of(45))
                .withMessage("A DOCA log level is 10, 20, 30, 40, 50, 60 or 70, and not 45");
    }
}
