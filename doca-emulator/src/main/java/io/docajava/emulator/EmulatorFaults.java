/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.emulator;

import io.docajava.ffi.DocaLibraryException;
import io.docajava.ffi.NativeEmulator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Faults that are injected into the emulator of this process until they are closed, for tests of error handling.
 *
 * <pre>{@code
 * try (EmulatorFaults faults = EmulatorFaults.builder().failTask(3, "IO_FAILED").inject()) {
 *     // the third task of DMA, RDMA or a sync event that is submitted from now on fails
 * }
 * }</pre>
 *
 * <p>Faults apply to the whole process. Its DMA, RDMA and sync event tasks are counted together, as are its memory maps, in the
 * order in which the program submits and starts them. The faults of a task are fixed when it is submitted; closing them later does
 * not change that.
 * Closing the faults reports delayed completions, and those that are held back for another order.
 *
 * <p>Any thread may call all methods.
 */
public final class EmulatorFaults implements AutoCloseable {

    private static final Object LOCK = new Object();

    private static @Nullable EmulatorFaults injected;

    /** Guarded by LOCK. */
    private String text;

    private EmulatorFaults(String text) {
        this.text = text;
    }

    /** {@return a new builder without faults} */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns open faults that inject nothing until a call of {@link #replace}. This permanently ends the faults of the environment
     * variable {@link EmulatorEnvironment#FAULTS}.
     *
     * @return open faults, to be closed by any thread
     * @throws IllegalStateException if other faults are injected and not closed, or the DOCA libraries of this process are those of
     *     the SDK
     * @throws DocaLibraryException if there are no DOCA libraries
     */
    public static EmulatorFaults none() {
        return new EmulatorFaults("").inject();
    }

    private EmulatorFaults inject() {
        synchronized (LOCK) {
            if (injected != null) {
                throw new IllegalStateException(injected + " are injected and not closed");
            }
            NativeEmulator.setFaults(text);
            injected = this;
        }
        return this;
    }

    /**
     * Replaces these faults by others, and restarts the counts of tasks, maps and calls at 1.
     *
     * @param others the new faults; later changes of the builder have no effect
     * @throws IllegalStateException if these faults are closed, or {@code others} has none
     */
    public void replace(Builder others) {
        String newText = Objects.requireNonNull(others, "others").toEnvironment();
        synchronized (LOCK) {
            if (injected != this) {
                throw new IllegalStateException(this + " are closed");
            }
            NativeEmulator.setFaults(newText);
            text = newText;
        }
    }

    /** Closes the faults of this process, regardless of who has injected them. Does nothing if there are none. */
    public static void closeAll() {
        synchronized (LOCK) {
            if (injected != null) {
                injected.close();
            }
        }
    }

    /** Ends all faults, and reports the completions that they hold back. A second call does nothing. */
    @Override
    public void close() {
        synchronized (LOCK) {
            if (injected == this) {
                NativeEmulator.setFaults("");
                injected = null;
            }
        }
    }

    /**
     * Returns the C function that has failed because of {@link Builder#failCall} or {@link Builder#failSystemCall}.
     *
     * @return a name such as {@code doca_mmap_start} or {@code calloc}; empty if none has failed since faults were last injected,
     *     replaced or closed in this process
     * @throws IllegalStateException if the DOCA libraries of this process are those of the SDK
     * @throws DocaLibraryException if there are no DOCA libraries
     */
    public static Optional<String> failedCall() {
        return NativeEmulator.failedCall();
    }

    /**
     * Returns the number of live DOCA objects of this process, such as devices, memory maps and tasks. Tests use it to find leaks.
     *
     * @return the number of objects of all kinds that were created and not destroyed
     * @throws IllegalStateException if the DOCA libraries of this process are those of the SDK
     * @throws DocaLibraryException if there are no DOCA libraries
     */
    public static long liveObjects() {
        return NativeEmulator.numObjects();
    }

    @Override
    public String toString() {
        synchronized (LOCK) {
            return "EmulatorFaults " + (text.isEmpty() ? "none" : text);
        }
    }

    /**
     * Collects faults. If a method is called again, the new value replaces the one before, except that {@link #failTask} adds
     * tasks. A builder is used by one thread at a time.
     */
    public static final class Builder {

        private static final int MAX_FAILURES = 64;
        private static final int MAX_WINDOW = 4096;
        private static final int MAX_DELAY_HOURS = 24;

        private static final Set<String> RESOURCES = Set.of("memory", "descriptor", "thread", "any");
        private static final String CALLS = "any|doca_[a-z0-9_]{1,90}";

        private static final Set<String> ERRORS = Set.of(
                "UNKNOWN",
                "NOT_PERMITTED",
                "IN_USE",
                "NOT_SUPPORTED",
                "AGAIN",
                "INVALID_VALUE",
                "NO_MEMORY",
                "INITIALIZATION",
                "TIME_OUT",
                "SHUTDOWN",
                "CONNECTION_RESET",
                "CONNECTION_ABORTED",
                "CONNECTION_INPROGRESS",
                "NOT_CONNECTED",
                "NO_LOCK",
                "NOT_FOUND",
                "IO_FAILED",
                "BAD_STATE",
                "UNSUPPORTED_VERSION",
                "OPERATING_SYSTEM",
                "DRIVER",
                "UNEXPECTED",
                "ALREADY_EXIST",
                "FULL",
                "EMPTY",
                "TOO_BIG",
                "AUTHENTICATION",
                "BAD_CONFIG",
                "SKIPPED",
                "DEVICE_FATAL_ERROR");

        private final SortedMap<Long, String> failures = new TreeMap<>();
        private @Nullable Duration delay;
        private @Nullable String order;
        private @Nullable Integer registrations;
        private @Nullable Long exporterTask;
        private @Nullable String call;
        private @Nullable String systemCall;

        private Builder() {}

        /**
         * Makes a task fail without any effect. May be called for several tasks. {@code AGAIN}, {@code FULL} and {@code NO_MEMORY},
         * which are temporary on a device, fail only that task. All other errors stop its context, which fails all tasks in flight.
         *
         * @param task the number of the task, counting from 1 the tasks that are submitted after the injection; at most 64 tasks
         *     can fail
         * @param error the name of a DOCA error without its prefix, such as {@code IO_FAILED}; neither {@code SUCCESS}
         *     nor {@code IN_PROGRESS}
         * @return this builder
         * @throws IllegalArgumentException if {@code task} is less than 1, tasks cannot fail with {@code error}, or 64 other tasks
         *     fail already
         */
        public Builder failTask(long task, String error) {
            Objects.requireNonNull(error, "error");
            requireNumber("task", task);
            if (!ERRORS.contains(error)) {
                throw new IllegalArgumentException(
                        "Tasks cannot fail with \"" + error + "\", but with IO_FAILED for example");
            }
            if (failures.size() == MAX_FAILURES && !failures.containsKey(task)) {
                throw new IllegalArgumentException("At most " + MAX_FAILURES + " tasks can fail");
            }
            failures.put(task, error);
            return this;
        }

        /**
         * Delays the completion of each task, unless its context stops.
         *
         * @param newDelay the shortest time from the submission of a task to its completion; 1 ns to 24 hours
         * @return this builder
         * @throws IllegalArgumentException if {@code newDelay} is out of range
         */
        public Builder delay(Duration newDelay) {
            Objects.requireNonNull(newDelay, "newDelay");
            if (newDelay.isNegative()
                    || newDelay.isZero()
                    || newDelay.compareTo(Duration.ofHours(MAX_DELAY_HOURS)) > 0) {
                throw new IllegalArgumentException("The delay " + newDelay + " is not 1 ns to 24 hours");
            }
            delay = newDelay;
            return this;
        }

        /**
         * Completes tasks in another order than that of their submission, as {@link #reorder(int, long)} with the seed 0.
         *
         * @param window the number of tasks whose completions are held back; 2 to 4096
         * @return this builder
         * @throws IllegalArgumentException if {@code window} is out of range
         */
        public Builder reorder(int window) {
            return reorder(window, 0);
        }

        /**
         * Completes tasks in another order than that of their submission, unless the context orders its completions. Completions
         * are held back until {@code window} tasks have ended or no more are in flight, and are then reported in an order that
         * begins with another task than the first one.
         *
         * @param window the number of tasks whose completions are held back; 2 to 4096
         * @param seed chooses the order; the same tasks in the same windows complete in the same order
         * @return this builder
         * @throws IllegalArgumentException if {@code window} is out of range
         */
        public Builder reorder(int window, long seed) {
            if (window < 2 || window > MAX_WINDOW) {
                throw new IllegalArgumentException("The window of " + window + " tasks is not 2 to " + MAX_WINDOW);
            }
            order = window + ":" + Long.toUnsignedString(seed);
            return this;
        }

        /**
         * Limits the number of memory maps that can be started or imported; further attempts fail with {@code NO_MEMORY}. Closing a
         * map, even one that was started before the injection, allows another one.
         *
         * @param limit the number of maps, 0 or more
         * @return this builder
         * @throws IllegalArgumentException if {@code limit} is negative
         */
        public Builder registrations(int limit) {
            if (limit < 0) {
                throw new IllegalArgumentException(limit + " registrations are fewer than 0");
            }
            registrations = limit;
            return this;
        }

        /**
         * Makes a copy from or to memory of another process kill that process by {@code SIGKILL} after half of the bytes.
         *
         * @param task the number of the copy, counting from 1 the copies of such memory that are submitted after the injection
         * @return this builder
         * @throws IllegalArgumentException if {@code task} is less than 1
         */
        public Builder killExporter(long task) {
            requireNumber("task", task);
            exporterTask = task;
            return this;
        }

        /**
         * Makes a call of a DOCA function fail without any effect. All calls of the program count, including those that fail for
         * another reason. Calls between DOCA's own functions do not count. A second invocation replaces the first one.
         *
         * @param function the name of a function that returns a {@code doca_error_t}, such as {@code doca_mmap_start}, or {@code
         *     any} to count the calls of all these functions together
         * @param number the number of the call that fails, counting from 1 after the injection
         * @param error the name of a DOCA error, as in {@link #failTask}
         * @return this builder
         * @throws IllegalArgumentException if {@code function} is not the name of a DOCA function, {@code number} is less than 1,
         *     or calls cannot fail with {@code error}
         */
        public Builder failCall(String function, long number, String error) {
            Objects.requireNonNull(function, "function");
            Objects.requireNonNull(error, "error");
            requireNumber("call", number);
            if (!function.matches(CALLS)) {
                throw new IllegalArgumentException(
                        "\"" + function + "\" is neither a function of DOCA, such as doca_mmap_start, nor any");
            }
            if (!ERRORS.contains(error)) {
                throw new IllegalArgumentException(
                        "Calls cannot fail with \"" + error + "\", but with NO_MEMORY for example");
            }
            call = function + ":" + number + ":" + error;
            return this;
        }

        /**
         * Makes a request of the DOCA libraries for a resource of the operating system fail.
         *
         * @param resource {@code memory}, {@code descriptor}, {@code thread}, or {@code any} to count the requests for all of
         *     them together
         * @param number the number of the request that fails, counting from 1 the requests of all threads after the injection
         * @return this builder
         * @throws IllegalArgumentException if {@code resource} is none of these, or {@code number} is less than 1
         */
        public Builder failSystemCall(String resource, long number) {
            Objects.requireNonNull(resource, "resource");
            requireNumber("request", number);
            if (!RESOURCES.contains(resource)) {
                throw new IllegalArgumentException(
                        "\"" + resource + "\" is none of memory, descriptor, thread and any");
            }
            systemCall = resource + ":" + number;
            return this;
        }

        /**
         * Returns the faults as text for another process.
         *
         * @return the value for the environment variable {@link EmulatorEnvironment#FAULTS} of that process
         * @throws IllegalStateException if this builder has no faults
         */
        public String toEnvironment() {
            List<String> faults = new ArrayList<>();
            failures.forEach((task, error) -> faults.add("fail-task=" + task + ":" + error));
            add(faults, "delay", delay == null ? null : delay.toNanos());
            add(faults, "reorder", order);
            add(faults, "registrations", registrations);
            add(faults, "kill-exporter", exporterTask);
            add(faults, "fail-call", call);
            add(faults, "fail-system", systemCall);
            if (faults.isEmpty()) {
                throw new IllegalStateException("No fault was given");
            }
            return String.join(",", faults);
        }

        /**
         * Injects the faults into this process until they are closed. This permanently replaces the faults of the environment
         * variable {@link EmulatorEnvironment#FAULTS}.
         *
         * @return the injected faults, to be closed by any thread
         * @throws IllegalStateException if this builder has no faults, other faults are injected and not closed, or the DOCA
         *     libraries of this process are those of the SDK
         * @throws DocaLibraryException if there are no DOCA libraries
         */
        public EmulatorFaults inject() {
            return new EmulatorFaults(toEnvironment()).inject();
        }

        private static void add(List<String> faults, String name, @Nullable Object value) {
            if (value != null) {
                faults.add(name + "=" + value);
            }
        }

        private static void requireNumber(String counted, long number) {
            if (number < 1) {
                throw new IllegalArgumentException(
                        "The number of the " + counted + " is " + number + ", must be 1 or more");
            }
        }
    }
}
