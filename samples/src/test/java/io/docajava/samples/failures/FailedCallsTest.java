/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.failures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.docajava.DocaException;
import io.docajava.core.DocaCallException;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.device.DeviceNotFoundException;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.dma.DmaCopier;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.testing.Await;
import io.docajava.testing.FullTests;
import io.docajava.testing.NeedsEmulator;
import java.io.File;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs each scenario with a failure of its n-th call into DOCA, and of the n-th system request of DOCA, starting with the
 * first one, until no call is left to fail. Each failure is reported, every wait ends, and nothing leaks.
 *
 * <p>{@code -Pfull} runs all of them, a usual build runs some.
 */
@NeedsEmulator
@Isolated("faults are those of the whole process")
@Timeout(600)
class FailedCallsTest {

    /** The distance between calls that fail. A prime lets scenarios with the same beginning fail at different calls. */
    private static final int STRIDE = FullTests.amount(13, 1);

    /** Calls that may fail: their failure is only logged, or means that a property is unknown. */
    static final Pattern TOLERATED = Pattern.compile("""
            doca_devinfo_(rep_)?(get|cap)_\\w+|\
            doca_devinfo_(rep_)?destroy_list|\
            doca_mmap_enable_thread_safety|\
            doca_buf_get_(head|len|data|data_len)|\
            doca_buf_dec_refcount|doca_buf_inventory_destroy|doca_mmap_destroy|\
            open""");

    /** Calls that destroy objects which nothing else refers to, so that the objects leak when the calls fail. */
    private static final Pattern LEAKING = Pattern.compile("doca_devinfo_(rep_)?destroy_list|doca_rdma_addr_destroy");

    /** Objects of a scenario's first run may stay open. Those of later runs are closed in time, even on a busy machine. */
    private static final Duration FIRST_PATIENCE = Duration.ofSeconds(2);

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The result of a run: the failed call, the exceptions of the program, and the increase of objects and files. */
    private record Outcome(Optional<String> failedCall, List<Throwable> failures, long objects, int files) {}

    @ParameterizedTest
    @EnumSource
    void callsFail(Scenario scenario) throws Exception {
        runUntilClean(scenario, number -> EmulatorFaults.builder().failCall("any", number, "DRIVER"), true);
    }

    @ParameterizedTest
    @EnumSource
    void memoryDescriptorsAndThreadsRunOut(Scenario scenario) throws Exception {
        for (String resource : List.of("memory", "descriptor", "thread")) {
            runUntilClean(scenario, number -> EmulatorFaults.builder().failSystemCall(resource, number), false);
        }
    }

    /** Temporary errors may be handled differently: a refused submission is repeated. */
    @ParameterizedTest
    @CsvSource({"COPIES, AGAIN", "COPIES, NO_MEMORY", "RDMA, NO_MEMORY", "GRAPHS, NOT_SUPPORTED", "EVENTS, BAD_STATE"})
    void callsFailWithOtherErrors(Scenario scenario, String error) throws Exception {
        runUntilClean(scenario, number -> EmulatorFaults.builder().failCall("any", number, error), false);
    }

    /** A part of a copy ends, or the whole copy, but a buffer or a map cannot be released, and stays until the process ends. */
    @ParameterizedTest
    @CsvSource({"doca_buf_dec_refcount, 3", "doca_mmap_destroy, 1"})
    void aCopyEndsAlthoughItsMemoryIsNotReleased(String function, int number) throws Exception {
        List<Throwable> reported = Collections.synchronizedList(new ArrayList<>());
        Device device = Device.open(DeviceFilter.ibDevice("mlx5_0"));
        ProgressLoop loop = ProgressLoop.builder().errorHandler(reported::add).start();
        DmaCopier copier = DmaCopier.start(loop, device);
        MemorySegment source = Arena.ofAuto().allocate(4096);
        MemorySegment target = Arena.ofAuto().allocate(4096);
        try (EmulatorFaults faults =
                EmulatorFaults.builder().failCall(function, number, "DRIVER").inject()) {
            assertThat(Await.result(copier.copy(source, target), "the copy with " + faults))
                    .isEqualTo(4096);
        }
        assertThat(Await.result(copier.copy(source, target), "another copy")).isEqualTo(4096);
        assertThat(reported).hasSize(1).allMatch(failure -> tells(failure, function));
        // The loop cannot close the inventory of a buffer that was not returned.
        Throwable unclosed = catchThrowable(loop::close);
        assertThat(unclosed == null || unclosed instanceof IllegalStateException)
                .isTrue();
    }

    private static void runUntilClean(Scenario scenario, IntFunction<EmulatorFaults.Builder> faults, boolean named)
            throws Exception {
        // The first run creates the objects that live as long as the process.
        assertThat(run(scenario, faults.apply(Integer.MAX_VALUE), FIRST_PATIENCE)
                        .failures())
                .isEmpty();
        int number = 1 + Math.floorMod(scenario.name().hashCode(), STRIDE);
        Outcome outcome = run(scenario, faults.apply(number), PATIENCE);
        for (; outcome.failedCall().isPresent(); outcome = run(scenario, faults.apply(number), PATIENCE)) {
            check(outcome, outcome.failedCall().get(), scenario + " with call " + number, named);
            number += STRIDE;
        }
        assertThat(outcome.failures()).as("%s after %d", scenario, number).isEmpty();
        assertThat(outcome.objects()).as("objects left by %s", scenario).isZero();
    }

    private static void check(Outcome outcome, String function, String run, boolean named) {
        String what = run + ", " + function;
        assertThat(outcome.failures())
                .as(what)
                .noneMatch(AssertionError.class::isInstance)
                .noneMatch(TimeoutException.class::isInstance);
        boolean tolerated =
                TOLERATED.matcher(function).matches() || (!named && function.startsWith("doca_task_submit"));
        if (!tolerated) {
            assertThat(outcome.failures()).as(what).isNotEmpty();
        }
        if (!outcome.failures().isEmpty()) {
            assertThat(outcome.failures()).as(what).anyMatch(failure -> tells(failure, named ? function : null));
        }
        if (!LEAKING.matcher(function).matches()) {
            assertThat(outcome.objects()).as("objects left by %s", what).isZero();
        }
        assertThat(outcome.files()).as("files left open by %s", what).isLessThanOrEqualTo(0);
    }

    /** Returns whether a failure or its cause names this function, or any function, or says that a device has no such property. */
    private static boolean tells(Throwable failure, @Nullable String function) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof DocaCallException doca && (function == null || names(doca, function))) {
                return true;
            }
        }
        return failure instanceof DeviceNotFoundException
                || failure instanceof NoSuchElementException
                || (function == null && (failure instanceof IllegalStateException || failure instanceof DocaException));
    }

    /** Returns whether a failure names the function. The reason of the SDK names calls that prepare a task at submission. */
    private static boolean names(DocaCallException failure, String function) {
        return failure.function().equals(function)
                || Objects.requireNonNull(failure.getMessage()).contains(function);
    }

    private static Outcome run(Scenario scenario, EmulatorFaults.Builder builder, Duration patience) throws Exception {
        long objects = EmulatorFaults.liveObjects();
        int files = openFiles();
        Scope scope = new Scope();
        Optional<String> failedCall;
        try (EmulatorFaults faults = builder.inject()) {
            assertThat(faults).isNotNull();
            try {
                scenario.run(scope);
            } catch (Exception | AssertionError e) {
                scope.note(e);
            }
            try {
                scope.close();
            } catch (Exception e) {
                throw new AssertionError(
                        scenario + " with " + faults + ": cannot be closed after " + scope.failures(), e);
            }
            failedCall = EmulatorFaults.failedCall();
        }
        // Threads of the emulator may be about to close a socket.
        long end = System.nanoTime() + patience.toNanos();
        while (openFiles() > files && System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
        return new Outcome(failedCall, scope.failures(), EmulatorFaults.liveObjects() - objects, openFiles() - files);
    }

    private static int openFiles() {
        return Objects.requireNonNull(new File("/proc/self/fd").list()).length;
    }
}
