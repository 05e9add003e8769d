/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import io.docajava.ffi.DocaLibraryException;
import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A small native library in a jar of doca-java. */
public final class BundledLibrary {

    private final SharedLibrary library;

    private BundledLibrary(SharedLibrary library) {
        this.library = library;
    }

    /**
     * Unpacks and opens a library of doca-ffi's jar.
     *
     * @throws DocaLibraryException if this fails, or there is none for this architecture
     */
    public static BundledLibrary open(String file) {
        NativeAccess.require();
        try {
            return open(ResourceUnpacker.ofThisUser()
                    .unpack(BundledLibrary.class, "", List.of(file))
                    .resolve(file));
        } catch (IOException e) {
            throw new DocaLibraryException(unusable(file) + e.getMessage(), e);
        }
    }

    /**
     * Opens an unpacked library. It is checked first, because the loader reports a library of another architecture as a missing
     * file, and crashes on a truncated one.
     */
    static BundledLibrary open(Path path) {
        String file = path.getFileName().toString();
        Optional<String> misfit = ElfFile.misfit(path, Platform.current());
        if (misfit.isPresent()) {
            throw new DocaLibraryException(
                    unusable(file) + path + " " + misfit.get() + "; replace the jar of doca-ffi");
        }
        try {
            return new BundledLibrary(new DynamicLoader().open(path.toString()));
        } catch (DynamicLoader.LoadFailure e) {
            throw new DocaLibraryException(unusable(file) + e.getMessage(), e);
        }
    }

    private static String unusable(String file) {
        return "The bundled " + file + " cannot be used: ";
    }

    /** Returns the address of a function. */
    public long address(String function) {
        long address = library.find(function);
        if (address == 0) {
            throw new DocaLibraryException("The bundled " + library.path() + " lacks " + function);
        }
        return address;
    }

    /** Returns a handle for a function. */
    public MethodHandle downcall(String function, FunctionDescriptor descriptor) {
        return Transitions.counted(
                Linker.nativeLinker().downcallHandle(MemorySegment.ofAddress(address(function)), descriptor));
    }

    /**
     * Returns a critical handle, for a function of a few instructions that never blocks and never calls Java. A call costs little
     * more than a call in C, because the thread does not change its state.
     */
    public MethodHandle shortDowncall(String function, FunctionDescriptor descriptor) {
        return Linker.nativeLinker()
                .downcallHandle(MemorySegment.ofAddress(address(function)), descriptor, Linker.Option.critical(false));
    }
}
