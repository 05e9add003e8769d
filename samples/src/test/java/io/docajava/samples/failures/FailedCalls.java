/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.failures;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.DocaException;
import io.docajava.core.DocaCallException;
import io.docajava.core.device.DeviceNotFoundException;
import io.docajava.emulator.EmulatorFaults;
import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Runs lives of objects in which calls fail. */
final class FailedCalls {

    /** The life of objects from creation to closing. */
    @FunctionalInterface
    interface Life {

        /** Creates objects, which the scope closes, uses them, and throws the first failure. */
        void run(Scope scope) throws Exception;
    }

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

    private FailedCalls() {}

    /** Does the same as {@link #untilClean} with a failure of one call into DOCA after the other. */
    static void ofEachCall(Object name, Life life, int stride) throws Exception {
        untilClean(name, life, stride, number -> EmulatorFaults.builder().failCall("any", number, "DRIVER"), true);
    }

    /**
     * Runs a life with failures of the calls in the given distance, until no call is left to fail. Each failure is reported, every wait
     * ends, and nothing leaks.
     *
     * @param name what lives
     * @param named whether the name of the failed function is known
     */
    static void untilClean(
            Object name, Life life, int stride, IntFunction<EmulatorFaults.Builder> faults, boolean named)
            throws Exception {
        // The first run creates the objects that live as long as the process.
        assertThat(run(name, life, faults.apply(Integer.MAX_VALUE), FIRST_PATIENCE)
                        .failures())
                .isEmpty();
        int number = 1 + Math.floorMod(name.toString().hashCode(), stride);
        Outcome outcome = run(name, life, faults.apply(number), PATIENCE);
        for (; outcome.failedCall().isPresent(); outcome = run(name, life, faults.apply(number), PATIENCE)) {
            check(outcome, outcome.failedCall().get(), name + " with call " + number, named);
            number += stride;
        }
        assertThat(outcome.failures()).as("%s after %d", name, number).isEmpty();
        assertThat(outcome.objects()).as("objects left by %s", name).isZero();
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
    static boolean tells(Throwable failure, @Nullable String function) {
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

    private static Outcome run(Object name, Life life, EmulatorFaults.Builder builder, Duration patience)
            throws Exception {
        long objects = EmulatorFaults.liveObjects();
        int files = openFiles();
        Scope scope = new Scope();
        Optional<String> failedCall;
        try (EmulatorFaults faults = builder.inject()) {
            assertThat(faults).isNotNull();
            try {
                life.run(scope);
            } catch (Exception | AssertionError e) {
                scope.note(e);
            }
            try {
                scope.close();
            } catch (Exception e) {
                throw new AssertionError(name + " with " + faults + ": cannot be closed after " + scope.failures(), e);
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
