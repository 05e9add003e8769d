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
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Faults of the emulator in this process, until closed; for tests of error handling.
 *
 * <pre>{@code
 * try (EmulatorFaults faults = EmulatorFaults.builder().failTask(3, "IO_FAILED").inject()) {
 *     // the third DMA task that is submitted from now on fails
 * }
 * }</pre>
 *
 * <p>Faults are those of a whole process, whose tasks and memory maps are counted together, in the order in which the
 * program submits and starts them. Whether a task fails is decided when it is submitted, and holds also if the faults
 * are closed meanwhile. What is delayed or kept for another order is reported when they are closed.
 *
 * <p>All methods may be called by any thread.
 */
public final class EmulatorFaults implements AutoCloseable {

    private static final Object LOCK = new Object();

    private static @Nullable EmulatorFaults injected;

    /** Guarded by LOCK. */
    private String text;

    private EmulatorFaults(String text) {
        this.text = text;
    }

    /** Begins with no faults. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Begins with no faults in this process, for {@link #replace} to inject some. What the environment asks for is ended, for
     * good.
     *
     * @throws IllegalStateException if others are injected and not closed, or the DOCA libraries of this process are those of
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
     * Replaces these faults by others, and begins to count anew.
     *
     * @throws IllegalStateException if these are closed, or there are no others
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

    /** Closes the faults that are injected in this process. Does nothing if there are none. */
    public static void closeAll() {
        synchronized (LOCK) {
            if (injected != null) {
                injected.close();
            }
        }
    }

    /** Ends all faults, and lets go of completions that they hold back. Does nothing if called again. */
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
     * Returns the C function that has failed by {@link Builder#failCall} or {@link Builder#failSystemCall} in this process since
     * faults were injected or ended, such as {@code doca_mmap_start} or {@code calloc}.
     *
     * @throws IllegalStateException if the DOCA libraries of this process are those of the SDK
     * @throws DocaLibraryException if there are no DOCA libraries
     */
    public static Optional<String> failedCall() {
        return NativeEmulator.failedCall();
    }

    /**
     * Returns how many DOCA objects of this process are live, such as devices, memory maps and tasks, to find those that a
     * program leaks.
     *
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

    /** Collects faults; what is given again replaces what was given before. For one thread at a time. */
    public static final class Builder {

        private static final int MAX_FAILURES = 64;
        private static final int MAX_WINDOW = 4096;
        private static final Duration MAX_DELAY = Duration.ofHours(24);

        private static final Set<String> RESOURCES = Set.of("memory", "descriptor", "thread", "any");
        private static final Pattern CALLS = Pattern.compile("any|doca_[a-z0-9_]{1,90}");

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
                "SKIPPED");

        private final SortedMap<Long, String> failures = new TreeMap<>();
        private @Nullable Duration delay;
        private @Nullable String order;
        private @Nullable Integer registrations;
        private @Nullable Long exporterTask;
        private @Nullable String call;
        private @Nullable String systemCall;

        private Builder() {}

        /**
         * Has a task copy nothing and fail; may be called for several tasks. {@code AGAIN}, {@code FULL} and
         * {@code NO_MEMORY}, which time cures on a device, fail that task alone; all others stop its context, which fails
         * what is in flight.
         *
         * @param task which one, counting from 1 the tasks that are submitted from now on; up to 64 may fail
         * @param error the name of a DOCA error without its prefix, such as {@code IO_FAILED}; neither {@code SUCCESS}
         *     nor {@code IN_PROGRESS}
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
         * Has no task reported before its time is up, unless its context stops.
         *
         * @param newDelay since the submission of the task: 1 ns to 24 hours
         */
        public Builder delay(Duration newDelay) {
            Objects.requireNonNull(newDelay, "newDelay");
            if (newDelay.isNegative() || newDelay.isZero() || newDelay.compareTo(MAX_DELAY) > 0) {
                throw new IllegalArgumentException("The delay " + newDelay + " is not 1 ns to 24 hours");
            }
            delay = newDelay;
            return this;
        }

        /** As {@link #reorder(int, long)}, with the seed 0. */
        public Builder reorder(int window) {
            return reorder(window, 0);
        }

        /**
         * Has tasks reported in another order, unless the context orders its completions. They are gathered until there
         * are so many, or no more are in flight, and then reported in an order in which the first one is not the first.
         *
         * @param window how many, 2 to 4096
         * @param seed chooses the order; the same tasks in the same windows come in the same order
         */
        public Builder reorder(int window, long seed) {
            if (window < 2 || window > MAX_WINDOW) {
                throw new IllegalArgumentException("The window of " + window + " tasks is not 2 to " + MAX_WINDOW);
            }
            order = window + ":" + Long.toUnsignedString(seed);
            return this;
        }

        /**
         * Lets only so many memory maps be started or imported; for others that fails with {@code NO_MEMORY}. Each one that
         * is closed, also if it was there before, makes room for another.
         *
         * @param limit 0 or more
         */
        public Builder registrations(int limit) {
            if (limit < 0) {
                throw new IllegalArgumentException(limit + " registrations are fewer than 0");
            }
            registrations = limit;
            return this;
        }

        /**
         * Has a copy from or to memory of another process kill that process, by {@code SIGKILL}, when half of the bytes are
         * copied.
         *
         * @param task which one, counting from 1 the copies of such memory that are submitted from now on
         */
        public Builder killExporter(long task) {
            requireNumber("task", task);
            exporterTask = task;
            return this;
        }

        /**
         * Has a call of a DOCA function do nothing and fail. All calls of the program are counted, those that fail in any
         * case too; calls between DOCA's own functions are not.
         *
         * @param function the function's name, such as {@code doca_mmap_start}, which has to return a {@code doca_error_t}; or
         *     {@code any} to count the calls of all functions together
         * @param number which call fails, counting from 1 those from now on
         * @param error as with {@link #failTask}
         */
        public Builder failCall(String function, long number, String error) {
            Objects.requireNonNull(function, "function");
            Objects.requireNonNull(error, "error");
            requireNumber("call", number);
            if (!CALLS.matcher(function).matches()) {
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
         * Has a request of the libraries for a resource of the system fail.
         *
         * @param resource {@code memory}, {@code descriptor}, {@code thread}, or {@code any} to count the requests for all of
         *     them together
         * @param number which request fails, counting from 1 those from now on, by all threads of the libraries
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
         * Writes the faults for another process: the value of its environment variable {@link EmulatorEnvironment#FAULTS}.
         *
         * @throws IllegalStateException if there are none
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
         * Has them happen in this process, from now until they are closed. They replace what the environment asks for, for
         * good.
         *
         * @throws IllegalStateException if none was given, others are injected and not closed, or the DOCA libraries of
         *     this process are those of the SDK
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
