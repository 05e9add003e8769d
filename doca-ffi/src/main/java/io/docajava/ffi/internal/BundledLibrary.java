/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import io.docajava.ffi.DocaLibraryException;
import io.docajava.ffi.NativeResources;
import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;

/** A small native library that doca-java itself brings along. */
public final class BundledLibrary {

    private final SharedLibrary library;

    private BundledLibrary(SharedLibrary library) {
        this.library = library;
    }

    /**
     * Unpacks and opens a library of doca-ffi's jar.
     *
     * @throws DocaLibraryException if that is not possible, or there is none for this architecture
     */
    public static BundledLibrary open(String file) {
        NativeAccess.require();
        try {
            String path = NativeResources.unpack(BundledLibrary.class, List.of(file))
                    .resolve(file)
                    .toString();
            return new BundledLibrary(new DynamicLoader().open(path));
        } catch (IOException | DynamicLoader.LoadFailure e) {
            throw new DocaLibraryException("The bundled " + file + " cannot be used: " + e.getMessage(), e);
        }
    }

    /** The address of a function. */
    public long address(String function) {
        long address = library.find(function);
        if (address == 0) {
            throw new DocaLibraryException("The bundled " + library.path() + " lacks " + function);
        }
        return address;
    }

    /** A handle for a function. */
    public MethodHandle downcall(String function, FunctionDescriptor descriptor) {
        return Transitions.counted(
                Linker.nativeLinker().downcallHandle(MemorySegment.ofAddress(address(function)), descriptor));
    }

    /**
     * A handle for a function of a few instructions that never waits and never calls Java. The thread stays in the state in
     * which it runs Java code, so that a call costs little more than one in C.
     */
    public MethodHandle shortDowncall(String function, FunctionDescriptor descriptor) {
        return Linker.nativeLinker()
                .downcallHandle(MemorySegment.ofAddress(address(function)), descriptor, Linker.Option.critical(false));
    }
}
