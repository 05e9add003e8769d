/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.failures;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.read.ListAppender;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.samples.Launcher;
import io.docajava.samples.cli.SampleRunner;
import io.docajava.testing.FullTests;
import io.docajava.testing.NeedsEmulator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/**
 * Runs each sample that needs no peer with a failure of its n-th call into DOCA, until no call is left to fail. Each run ends, its
 * output names the call, and nothing leaks unless the call is part of closing an object.
 *
 * <p>{@code -Pfull} fails all calls, a usual build some.
 */
@NeedsEmulator
@Isolated("faults are those of the whole process")
@Timeout(600)
class FailingSamplesTest {

    private static final int STRIDE = FullTests.amount(13, 1);

    /** A device that cannot say what it can do is passed over. */
    private static final Pattern TOLERATED =
            Pattern.compile("doca_dma_cap_task_memcpy_is_supported|" + FailedCallsTest.TOLERATED);

    /** Calls whose failure lets an object stay until the process ends, and with it the objects that it uses. */
    private static final Pattern CLOSING = Pattern.compile(
            "doca_\\w+_destroy(_list)?|doca_buf_dec_refcount|doca_dev_close|doca_(ctx|graph)_stop|doca_ctx_get_state");

    /** The result of a run: the failed call, the exit code, what was logged, and the increase of objects. */
    private record Outcome(Optional<String> failedCall, int exitCode, List<String> records, long objects) {}

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dma_local_copy",
                "pe_polling",
                "pe_event",
                "pe_multi_context",
                "pe_reactive",
                "pe_task_resubmit",
                "pe_async_stop",
                "graph"
            })
    void namesTheFailedCall(String sample) {
        assertThat(run(sample, Integer.MAX_VALUE).exitCode()).isZero();
        int number = 1 + Math.floorMod(sample.hashCode(), STRIDE);
        Outcome outcome = run(sample, number);
        for (; outcome.failedCall().isPresent(); outcome = run(sample, number)) {
            check(outcome, outcome.failedCall().get(), sample + " with call " + number);
            number += STRIDE;
        }
        assertThat(outcome.exitCode()).as("%s after %d", sample, number).isZero();
        assertThat(outcome.objects()).as("objects left by %s", sample).isZero();
    }

    @Test
    void aRefusedLevelOfTheLogEndsASample() {
        // The first run loads the libraries.
        assertThat(run("dma_local_copy", Integer.MAX_VALUE).exitCode()).isZero();
        Outcome outcome = run("dma_local_copy", 1);
        assertThat(outcome.failedCall()).contains("doca_log_backend_set_sdk_level");
        assertThat(outcome.exitCode()).isOne();
        assertThat(outcome.records())
                .hasSize(2)
                .contains("Sample finished with errors")
                .anyMatch(
                        record -> record.startsWith("Setting the level of the SDK's log: doca_log_backend_set_sdk_level"
                                + " failed with DOCA_ERROR_DRIVER"));
    }

    private static void check(Outcome outcome, String function, String run) {
        String what = run + ", " + function;
        assertThat(outcome.records()).as(what).noneMatch(record -> record.contains("Unexpected"));
        if (!TOLERATED.matcher(function).matches()) {
            assertThat(outcome.records())
                    .as(what)
                    .anyMatch(record -> record.contains(function)
                            || record.contains("status DRIVER")
                            || record.contains("There is no device"));
        }
        if (!CLOSING.matcher(function).matches()) {
            assertThat(outcome.objects()).as("objects left by %s", what).isZero();
        }
    }

    private static Outcome run(String sample, int number) {
        long objects = EmulatorFaults.liveObjects();
        Logger log = (Logger) LoggerFactory.getLogger("io.docajava");
        ListAppender<ILoggingEvent> records = new ListAppender<>();
        // The thread of the SDK's log may append while the test reads.
        records.list = new CopyOnWriteArrayList<>();
        records.start();
        log.addAppender(records);
        try (EmulatorFaults faults =
                EmulatorFaults.builder().failCall("any", number, "DRIVER").inject()) {
            assertThat(faults).isNotNull();
            int exitCode = new SampleRunner(Launcher.class).run(sample);
            Optional<String> failedCall = EmulatorFaults.failedCall();
            return new Outcome(failedCall, exitCode, textsOf(records), EmulatorFaults.liveObjects() - objects);
        } finally {
            log.detachAppender(records);
        }
    }

    /** Returns the texts without those of the SDK, which always name the call, and may arrive later. */
    private static List<String> textsOf(ListAppender<ILoggingEvent> records) {
        return records.list.stream()
                .filter(event -> !event.getLoggerName().equals("io.docajava.sdk"))
                .map(event -> event.getFormattedMessage() + messageOf(event.getThrowableProxy()))
                .toList();
    }

    private static String messageOf(@Nullable IThrowableProxy failure) {
        return failure == null ? "" : ": " + failure.getMessage();
    }
}
