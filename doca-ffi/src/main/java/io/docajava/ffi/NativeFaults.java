/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.ffi.internal.Downcalls;
import io.docajava.ffi.internal.NativeSymbols;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Objects;

/** What the loaded emulator makes go wrong in this process. For doca-emulator, whose API is meant for users. */
public final class NativeFaults {

    private static final String COMMON = "common";
    private static final String FUNCTION = "doca_emulator_set_faults";

    private NativeFaults() {}

    /**
     * Replaces all faults. By any thread.
     *
     * @param text as in the environment variable {@code DOCA_EMULATOR_FAULTS}; empty for no faults
     * @throws IllegalArgumentException if the emulator refuses the text; it logs the reason
     * @throws IllegalStateException if the loaded libraries are not the emulator's, or have no faults
     * @throws DocaLibraryException if there are no DOCA libraries
     */
    public static void set(String text) {
        Objects.requireNonNull(text, "text");
        DocaLibrary library = DocaLibrary.load();
        long address = NativeSymbols.of(COMMON).privateAddress(FUNCTION);
        if (address == 0) {
            throw new IllegalStateException(absence(library));
        }
        MethodHandle function = Linker.nativeLinker()
                .downcallHandle(MemorySegment.ofAddress(address), FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
        try (Arena arena = Arena.ofConfined()) {
            int error = (int) function.invokeExact(arena.allocateFrom(text).address());
            if (error != 0) {
                throw new IllegalArgumentException(
                        "The emulator refuses the faults \"" + text + "\" with DOCA error " + error);
            }
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    private static String absence(DocaLibrary library) {
        String loaded = "DOCA " + library.version() + " (" + library.libraryPath(COMMON) + ")";
        return library.backend() == Backend.SDK
                ? "Only the emulator can be told to fail, and the loaded " + loaded + " is the SDK"
                : "The emulator that is loaded, " + loaded + ", is too old to be told to fail";
    }
}
