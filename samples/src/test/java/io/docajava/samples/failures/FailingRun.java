/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.failures;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.read.ListAppender;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.samples.cli.SampleRunner;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * A run of samples in which a call into DOCA has failed.
 *
 * @param failedCall the function, or empty if there were fewer calls
 * @param exitCode the exit code of the samples
 * @param records what they have logged
 * @param unclosed why objects could not be closed
 * @param objects how many more objects of DOCA exist after the run
 */
record FailingRun(
        Optional<String> failedCall, int exitCode, List<String> records, List<String> unclosed, long objects) {

    /** A device that cannot say what it can do is passed over. */
    private static final Pattern TOLERATED =
            Pattern.compile("doca_dma_cap_task_memcpy_is_supported|" + FailedCalls.TOLERATED);

    /** Calls whose failure lets an object stay until the process ends, and with it the objects that it uses. */
    private static final Pattern CLOSING = Pattern.compile(
            "doca_\\w+_destroy(_list)?|doca_buf_dec_refcount|doca_dev_close|doca_(ctx|graph|sync_event)_stop|doca_ctx_get_state");

    /** A run of samples, which returns their exit code. */
    @FunctionalInterface
    interface Samples {

        int run() throws Exception;
    }

    /** Runs samples with a failure of the call with this number. */
    static FailingRun of(Samples samples, int number) throws Exception {
        long objects = EmulatorFaults.liveObjects();
        Logger log = (Logger) LoggerFactory.getLogger("io.docajava");
        ListAppender<ILoggingEvent> records = new ListAppender<>();
        // The thread of the SDK's log may append while the test reads.
        records.list = new CopyOnWriteArrayList<>();
        records.start();
        log.addAppender(records);
        // The details are only for the message of a failing test, and not for the console.
        Logger runner = (Logger) LoggerFactory.getLogger(SampleRunner.class);
        runner.setLevel(Level.DEBUG);
        runner.setAdditive(false);
        runner.addAppender(records);
        try (EmulatorFaults faults =
                EmulatorFaults.builder().failCall("any", number, "DRIVER").inject()) {
            assertThat(faults).isNotNull();
            int exitCode = samples.run();
            Optional<String> failedCall = EmulatorFaults.failedCall();
            return new FailingRun(
                    failedCall,
                    exitCode,
                    textsOf(records),
                    suppressedIn(records),
                    EmulatorFaults.liveObjects() - objects);
        } finally {
            runner.detachAppender(records);
            runner.setAdditive(true);
            runner.setLevel(null);
            log.detachAppender(records);
        }
    }

    /**
     * Runs samples with a failure of one call after the other, in the given distance, until no call is left to fail. Checks that each
     * run ends, that its output names the call, and that nothing leaks unless the call is part of closing an object.
     */
    static void ofEachCall(String name, Samples samples, int stride) throws Exception {
        assertThat(of(samples, Integer.MAX_VALUE).exitCode()).as(name).isZero();
        int number = 1 + Math.floorMod(name.hashCode(), stride);
        FailingRun run = of(samples, number);
        for (; run.failedCall().isPresent(); run = of(samples, number)) {
            run.check(run.failedCall().get(), name + " with call " + number);
            number += stride;
        }
        assertThat(run.exitCode()).as("%s after %d", name, number).isZero();
        assertThat(run.objects()).as("objects left by %s", name).isZero();
    }

    private void check(String function, String run) {
        String what = run + ", " + function;
        assertThat(records).as(what).noneMatch(text -> text.contains("Unexpected"));
        if (!TOLERATED.matcher(function).matches()) {
            assertThat(records)
                    .as(what)
                    .anyMatch(text -> text.contains(function)
                            || text.contains("status DRIVER")
                            || text.contains("There is no device"));
        }
        if (!CLOSING.matcher(function).matches()) {
            assertThat(objects)
                    .as("objects left by %s, which logged %s and could not close: %s", what, records, unclosed)
                    .isZero();
        }
    }

    /** Returns the texts without those of the SDK, which always name the call, and may arrive later. */
    private static List<String> textsOf(ListAppender<ILoggingEvent> records) {
        return records.list.stream()
                .filter(event -> event.getLevel().isGreaterOrEqual(Level.INFO)
                        && !event.getLoggerName().equals("io.docajava.sdk"))
                .map(event -> event.getFormattedMessage() + messageOf(event.getThrowableProxy()))
                .toList();
    }

    private static String messageOf(@Nullable IThrowableProxy failure) {
        return failure == null ? "" : ": " + failure.getMessage();
    }

    /** Returns the messages of the exceptions that closing has thrown after another one. */
    private static List<String> suppressedIn(ListAppender<ILoggingEvent> records) {
        return records.list.stream()
                .map(ILoggingEvent::getThrowableProxy)
                .filter(Objects::nonNull)
                .flatMap(failure -> Stream.of(failure.getSuppressed()))
                .map(IThrowableProxy::getMessage)
                .toList();
    }
}
