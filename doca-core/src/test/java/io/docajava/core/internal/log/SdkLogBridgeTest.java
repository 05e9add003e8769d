/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.docajava.DocaException;
import io.docajava.core.Doca;
import io.docajava.core.DocaLogLevel;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.memory.MmapExport;
import io.docajava.core.testing.LogCapture;
import io.docajava.core.testing.OpenHandles;
import io.docajava.core.testing.Requirements;
import io.docajava.testing.Await;
import io.docajava.testing.NeedsEmulator;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(OpenHandles.class)
class SdkLogBridgeTest {

    /** An export that only the SDK can refuse. */
    private static final MmapExport DAMAGED = MmapExport.of(new byte[] {1, 2, 3}, 4096, 4096);

    /** A message with a reason at the end. */
    private static final String REFUSED =
            "Importing Mmap of 4096 bytes.*: doca_mmap_create_from_export failed with DOCA_ERROR_\\w+ \\(.*\\): .+";

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
    @NeedsEmulator
    void handsOverWarningsWithTheirLevelAndTheThreadThatLogged() {
        Requirements.ownLog();
        try (LogCapture log = LogCapture.ofSdk();
                Mmap map = Mmap.register(device, Arena.global().allocate(100, 64), Access.LOCAL_READ_WRITE)) {
            assertThat(log.events()).hasSize(1).first().satisfies(event -> {
                assertThat(event.getLevel()).isEqualTo(ch.qos.logback.classic.Level.WARN);
                assertThat(event.getThreadName()).isEqualTo("doca-sdk-log");
                assertThat(event.getKeyValuePairs())
                        .extracting(Object::toString)
                        .containsExactly("thread=\"" + linuxThread() + "\"");
                assertThat(event.getFormattedMessage())
                        .matches(
                                "Mmap 0x[0-9a-f]+: 100 bytes at 0x[0-9a-f]+ are not aligned to cache lines of 64 bytes");
            });
            assertThat(map.byteSize()).isEqualTo(100);
        }
    }

    /** Returns the name of the thread in Linux, which has the first 15 bytes of the Java name. */
    private static String linuxThread() throws IOException {
        Path thread = Path.of("/proc/thread-self");
        return Files.readString(thread.resolve("comm")).strip() + " ("
                + thread.toRealPath().getFileName() + ")";
    }

    @Test
    void handsOverNoMoreThanTheLevel() {
        Requirements.loggedRefusals(device);
        try (LogCapture log = LogCapture.ofSdk()) {
            for (DocaLogLevel level : new DocaLogLevel[] {DocaLogLevel.DISABLE, DocaLogLevel.CRIT}) {
                Doca.setSdkLogLevel(level);
                assertThatExceptionOfType(DocaException.class)
                        .isThrownBy(() -> Mmap.fromExport(device, DAMAGED))
                        .withMessageMatching(REFUSED);
            }
            assertThat(log.lines()).isEmpty();

            SdkErrors.record("[DOCA][CRT] the end");
            assertThat(log.lines()).containsExactly("ERROR the end");
        }
    }

    @Test
    void handsOverRecordsOfAnUnknownForm() {
        try (LogCapture log = LogCapture.ofSdk()) {
            SdkErrors.record("a new form {}\n");

            assertThat(log.lines()).containsExactly("WARN a new form {}");
        }
    }

    /** Logback catches an exception of an appender, and passes on an error. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void survivesAnAppenderThatThrows(boolean isError) {
        Requirements.loggedRefusals(device);
        try (LogCapture log = LogCapture.of("io.docajava.sdk", event -> {
            if (isError) {
                throw new NoClassDefFoundError("in an appender");
            }
            throw new IllegalStateException("in an appender");
        })) {
            assertThatExceptionOfType(DocaException.class)
                    .isThrownBy(() -> Mmap.fromExport(device, DAMAGED))
                    .withMessageMatching(REFUSED);
            assertThat(log.events()).isNotEmpty();
        }
    }

    @Test
    void anAppenderMayCallTheSdkAndIsNotCalledForWhatThatLogs() {
        Requirements.loggedRefusals(device);
        AtomicInteger refused = new AtomicInteger();
        try (LogCapture log = LogCapture.of("io.docajava.sdk", event -> {
            // Events are delivered after the call that logged, so an appender may use everything.
            // The reasons of its failures are those of this thread.
            assertThatExceptionOfType(DocaException.class)
                    .isThrownBy(() -> Mmap.fromExport(device, DAMAGED))
                    .withMessageMatching(REFUSED);
            refused.incrementAndGet();
        })) {
            assertThatExceptionOfType(DocaException.class)
                    .isThrownBy(() -> Mmap.fromExport(device, DAMAGED))
                    .withMessageMatching(REFUSED);

            assertThat(log.events()).isNotEmpty();
            assertThat(refused).hasValue(log.events().size());
        }
    }

    @Test
    void deliversNothingInsideOfTheCallThatLogs() throws InterruptedException {
        Requirements.loggedRefusals(device);
        CountDownLatch returned = new CountDownLatch(1);
        AtomicBoolean delivered = new AtomicBoolean();
        try (LogCapture log = LogCapture.of("io.docajava.sdk", event -> {
            try {
                delivered.set(returned.await(30, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        })) {
            assertThatExceptionOfType(DocaException.class).isThrownBy(() -> Mmap.fromExport(device, DAMAGED));
            returned.countDown();

            assertThat(log.events()).isNotEmpty();
            assertThat(delivered).isTrue();
        }
    }

    @Test
    void keepsTheOrderAndReportsOnceHowManyWereLost() {
        // The queue takes 1024 records while the appender handles the first one.
        int records = 1 + 1024 + 500;
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch logged = new CountDownLatch(1);
        try (LogCapture log = LogCapture.of("io.docajava.sdk", event -> {
            arrived.countDown();
            await(logged);
        })) {
            SdkErrors.record("[DOCA][WRN] 1");
            await(arrived);
            for (int i = 2; i <= records; i++) {
                SdkErrors.record("[DOCA][WRN] " + i);
            }
            logged.countDown();
            assertThat(log.events()).hasSizeGreaterThanOrEqualTo(1 + 1024);
            SdkErrors.record("[DOCA][WRN] end");

            List<String> expected = new ArrayList<>();
            IntStream.rangeClosed(1, 1 + 1024).forEach(i -> expected.add("WARN " + i));
            expected.add("WARN 500 records of the SDK's log were lost: the appenders were slower than the SDK");
            expected.add("WARN end");
            assertThat(log.lines()).isEqualTo(expected);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(Await.LIMIT_S, TimeUnit.SECONDS))
                    .as("waits for the records")
                    .isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void givesEachOfManyThreadsItsOwnReasons() throws InterruptedException {
        try (LogCapture log = LogCapture.ofSdk()) {
            List<Thread> threads = new ArrayList<>();
            ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
            for (int i = 0; i < 4; i++) {
                long size = 4096L + i;
                MmapExport damaged = MmapExport.of(new byte[] {1, 2, (byte) i}, 4096, size);
                threads.add(Thread.ofPlatform().start(() -> {
                    for (int n = 0; n < 200; n++) {
                        SdkErrors.log("before " + size);
                        List<String> reasons = ErrorRecords.take();
                        if (!reasons.equals(List.of("before " + size))) {
                            wrong.add(size + " has " + reasons);
                        }
                        try (Mmap map = Mmap.fromExport(device, damaged)) {
                            wrong.add("imported " + map);
                        } catch (DocaException e) {
                            String message = String.valueOf(e.getMessage());
                            if (message.contains("before")) {
                                wrong.add(message);
                            }
                        }
                    }
                }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(wrong).isEmpty();
            assertThat(log.lines()).isNotEmpty();
        }
    }

    @Test
    void survivesTextThatIsNoUtf8() {
        byte[] line = "[DOCA][ERR] ..x\n\0".getBytes(StandardCharsets.US_ASCII);
        line[12] = (byte) 0xff;
        line[13] = (byte) 0xfe;

        assertThatCode(() -> SdkErrors.record(line)).doesNotThrowAnyException();
        assertThat(ErrorRecords.take()).containsExactly("\ufffd\ufffdx");
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
