/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.ffi.internal.Downcalls;
import io.docajava.ffi.internal.NativeSymbols;
import io.docajava.ffi.internal.StackGuard;
import io.docajava.ffi.log.SdkLog;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Changes faults and settings of the loaded emulator in this process. Called by doca-emulator, which has the API for programs. */
public final class NativeEmulator {

    private static final String COMMON = "common";
    private static final String CONFIGURE = "doca_emulator_configure";
    private static final String SET = "doca_emulator_set_faults";
    private static final String FAILED_CALL = "doca_emulator_failed_call";
    private static final String NUM_OBJECTS = "doca_emulator_num_objects";

    /** The prefix of a log record: time, process, level and place. */
    private static final String PREFIX = "^(?:\\[[^]]*])+ ";

    /** DOCA_ERROR_IN_USE. */
    private static final int ERROR_IN_USE = 3;

    private NativeEmulator() {}

    /**
     * Replaces all faults ({@code doca_emulator_set_faults}). Any thread may call.
     *
     * @param text as in the environment variable {@code DOCA_EMULATOR_FAULTS}; empty for no faults
     * @throws IllegalArgumentException if the emulator refuses the text; the reason is in the message or in its log
     * @throws IllegalStateException if the loaded libraries are not the emulator's, or have no faults
     * @throws DocaLibraryException if there are no DOCA libraries
     */
    public static void setFaults(String text) {
        Objects.requireNonNull(text, "text");
        MethodHandle function = handle(SET, FunctionDescriptor.of(JAVA_INT, JAVA_LONG), "inject faults");
        try (Arena arena = Arena.ofConfined()) {
            int error = (int) function.invokeExact(arena.allocateFrom(text).address());
            if (error != 0) {
                throw refused("the faults \"" + text + "\"", error);
            }
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /**
     * Replaces the role, the topology and the kind of engine of this process ({@code doca_emulator_configure}). While this runs, no
     * other thread may use DOCA.
     *
     * @param role as in the environment variable {@code DOCA_EMULATOR_ROLE}; null for the value in the environment
     * @param topology as in {@code DOCA_EMULATOR_TOPOLOGY}; null for the value in the environment
     * @param engine as in {@code DOCA_EMULATOR_ENGINE}; null for the value in the environment
     * @throws IllegalArgumentException if the emulator refuses a value; the reason is in the message or in its log
     * @throws IllegalStateException if a device of this process is open, or the loaded libraries are not the emulator's, or
     *     cannot be configured
     * @throws DocaLibraryException if there are no DOCA libraries
     */
    public static void configure(@Nullable String role, @Nullable String topology, @Nullable String engine) {
        MethodHandle function =
                handle(CONFIGURE, FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG), "be configured");
        try (Arena arena = Arena.ofConfined()) {
            int error =
                    (int) function.invokeExact(address(arena, role), address(arena, topology), address(arena, engine));
            if (error == ERROR_IN_USE) {
                throw new IllegalStateException("The emulator cannot be configured while a device is open");
            }
            if (error != 0) {
                throw refused(settings(role, topology, engine), error);
            }
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    private static String settings(@Nullable String role, @Nullable String topology, @Nullable String engine) {
        String settings = Stream.of(setting("role", role), setting("topology", topology), setting("engine", engine))
                .flatMap(Optional::stream)
                .collect(Collectors.joining(", "));
        return settings.isEmpty() ? "the settings of the environment" : settings;
    }

    private static Optional<String> setting(String name, @Nullable String value) {
        return Optional.ofNullable(value).map(given -> "the " + name + " " + given);
    }

    /** Returns the exception for a value that the emulator refuses, with the reason if this process keeps the SDK's log. */
    private static IllegalArgumentException refused(String value, int error) {
        String reasons = SdkLog.takeErrors().stream()
                .map(line -> line.strip().replaceFirst(PREFIX, ""))
                .distinct()
                .collect(Collectors.joining("; "));
        return new IllegalArgumentException(
                "The emulator refuses " + value + (reasons.isEmpty() ? " with DOCA error " + error : ": " + reasons));
    }

    private static long address(Arena arena, @Nullable String text) {
        return text == null ? 0 : arena.allocateFrom(text).address();
    }

    /**
     * Returns the C function that has failed because of {@code fail-call} or {@code fail-system} ({@code
     * doca_emulator_failed_call}). Any thread may call.
     *
     * @return a name such as {@code doca_mmap_start} or {@code calloc}; empty if none has failed since the faults were set
     * @throws IllegalStateException if the loaded libraries are not the emulator's, or have no faults
     * @throws DocaLibraryException if there are no DOCA libraries
     */
    public static Optional<String> failedCall() {
        MethodHandle function = handle(FAILED_CALL, FunctionDescriptor.of(JAVA_LONG), "inject faults");
        try {
            long name = (long) function.invokeExact();
            return name == 0
                    ? Optional.empty()
                    : Optional.of(MemorySegment.ofAddress(name)
                            .reinterpret(Long.MAX_VALUE)
                            .getString(0));
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /**
     * Returns the number of live DOCA objects of this process ({@code doca_emulator_num_objects}). Any thread may call.
     *
     * @return the number of objects of all kinds that were created and not destroyed
     * @throws IllegalStateException if the loaded libraries are not the emulator's, or have no faults
     * @throws DocaLibraryException if there are no DOCA libraries
     */
    public static long numObjects() {
        MethodHandle function = handle(NUM_OBJECTS, FunctionDescriptor.of(JAVA_LONG), "count its objects");
        try {
            return (long) function.invokeExact();
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    private static MethodHandle handle(String function, FunctionDescriptor descriptor, String ability) {
        StackGuard.check();
        DocaLibrary library = DocaLibrary.load();
        long address = NativeSymbols.of(COMMON).privateAddress(function);
        if (address == 0) {
            throw new IllegalStateException(absence(library, ability));
        }
        return Linker.nativeLinker().downcallHandle(MemorySegment.ofAddress(address), descriptor);
    }

    private static String absence(DocaLibrary library, String ability) {
        String loaded = "DOCA " + library.version() + " (" + library.libraryPath(COMMON) + ")";
        return library.backend() == Backend.SDK
                ? "Only the emulator can " + ability + ", and the loaded " + loaded + " is the SDK"
                : "The emulator that is loaded, " + loaded + ", is too old to " + ability;
    }
}
