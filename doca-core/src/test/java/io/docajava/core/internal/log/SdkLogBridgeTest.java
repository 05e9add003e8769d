/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.docajava.core.Doca;
import io.docajava.core.DocaException;
import io.docajava.core.DocaLogLevel;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.memory.MmapExport;
import io.docajava.core.testing.LogCapture;
import io.docajava.core.testing.OpenHandles;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(OpenHandles.class)
class SdkLogBridgeTest {

    /** What only the SDK can refuse. */
    private static final MmapExport DAMAGED = MmapExport.of(new byte[] {1, 2, 3}, 4096, 4096);

    private Device device;

    @BeforeEach
    void open() {
        device = Device.open(DeviceFilter.any());
    }

    @AfterEach
    void close() {
        device.close();
        Doca.setSdkLogLevel(DocaLogLevel.WARNING);
        ErrorRecords.forget();
    }

    @Test
    void handsOverWarningsWithTheirLevelOnTheThreadThatCalls() {
        try (LogCapture log = LogCapture.ofSdk();
                Mmap map = Mmap.register(device, Arena.global().allocate(100, 64), Access.LOCAL_READ_WRITE)) {
            assertThat(log.events()).hasSize(1).first().satisfies(event -> {
                assertThat(event.getLevel()).isEqualTo(ch.qos.logback.classic.Level.WARN);
                assertThat(event.getThreadName())
                        .isEqualTo(Thread.currentThread().getName());
                assertThat(event.getFormattedMessage())
                        .matches(
                                "Mmap 0x[0-9a-f]+: 100 bytes at 0x[0-9a-f]+ are not aligned to cache lines of 64 bytes");
            });
            assertThat(map.byteSize()).isEqualTo(100);
        }
    }

    @Test
    void handsOverNoMoreThanTheLevel() {
        try (LogCapture log = LogCapture.ofSdk()) {
            for (DocaLogLevel level : new DocaLogLevel[] {DocaLogLevel.DISABLE, DocaLogLevel.CRIT}) {
                Doca.setSdkLogLevel(level);
                assertThatExceptionOfType(DocaException.class)
                        .isThrownBy(() -> Mmap.fromExport(device, DAMAGED))
                        .withMessageContaining("are no export descriptor of the emulator");
            }
            assertThat(log.lines()).isEmpty();

            SdkLogBridge.record("[DOCA][CRT] the end");
            assertThat(log.lines()).containsExactly("ERROR the end");
        }
    }

    @Test
    void handsOverRecordsOfAnUnknownForm() {
        try (LogCapture log = LogCapture.ofSdk()) {
            SdkLogBridge.record("a new form {}\n");

            assertThat(log.lines()).containsExactly("WARN a new form {}");
        }
    }

    @Test
    void survivesAnAppenderThatThrows() {
        IllegalStateException thrown = new IllegalStateException("in an appender");
        try (LogCapture log = LogCapture.of("io.docajava.sdk", event -> {
            throw thrown;
        })) {
            assertThatExceptionOfType(DocaException.class)
                    .isThrownBy(() -> Mmap.fromExport(device, DAMAGED))
                    .withMessageContaining("are no export descriptor of the emulator");
            assertThat(log.events()).hasSize(1);
        }
    }

    @Test
    void survivesAnAppenderThatCallsTheSdk() {
        try (LogCapture log = LogCapture.of("io.docajava.sdk", this::refuseAgain)) {
            assertThatExceptionOfType(DocaException.class)
                    .isThrownBy(() -> Mmap.fromExport(device, DAMAGED))
                    .withMessageStartingWith("Importing Mmap of 4096 bytes");

            assertThat(log.events()).hasSize(1);
        }
    }

    private void refuseAgain(ILoggingEvent event) {
        assertThatExceptionOfType(DocaException.class).isThrownBy(() -> Mmap.fromExport(device, DAMAGED));
        // As the SDK may do it, and the emulator does not: a record while another one is handed over.
        SdkErrors.log("within " + event.getFormattedMessage());
    }

    @Test
    void survivesTextThatIsNoUtf8() {
        String text = new String(new byte[] {(byte) 0xff, (byte) 0xfe, 'x'}, StandardCharsets.UTF_8);

        assertThatCode(() -> SdkErrors.log(text)).doesNotThrowAnyException();
        assertThat(ErrorRecords.take()).containsExactly(text);
    }

    @Test
    void readsTheLevelThatAUserSets() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("tr"));
        try (LogCapture log = LogCapture.ofSdk()) {
            assertThat(SdkLogBridge.initialLevel(null)).isEqualTo(DocaLogLevel.WARNING);
            assertThat(SdkLogBridge.initialLevel("info")).isEqualTo(DocaLogLevel.INFO);
            assertThat(SdkLogBridge.initialLevel(" Disable")).isEqualTo(DocaLogLevel.DISABLE);
            assertThat(log.lines()).isEmpty();

            assertThat(SdkLogBridge.initialLevel("loud")).isEqualTo(DocaLogLevel.WARNING);
            assertThat(log.lines())
                    .containsExactly(
                            "WARN doca.log.level is one of [DISABLE, CRIT, ERROR, WARNING, INFO, DEBUG, TRACE],"
                                    + " and not \"loud\": WARNING is used");
        } finally {
            Locale.setDefault(before);
        }
    }
}
