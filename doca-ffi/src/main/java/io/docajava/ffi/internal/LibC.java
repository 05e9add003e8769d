/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.NoSuchElementException;

/** Functions of the C library. */
public final class LibC {

    /**
     * The C library, and the libraries that have its functions of the loader and of threads before its release 2.34. The JVM is linked
     * with them, so that the loader opens no file for them.
     */
    private static final List<String> LIBRARIES = List.of("libc.so.6", "libdl.so.2", "libpthread.so.0");

    private LibC() {}

    /** Binds a function. Needs native access: see {@link NativeAccess#require()}. */
    public static MethodHandle bind(String function, FunctionDescriptor descriptor, Linker.Option... options) {
        return Linker.nativeLinker().downcallHandle(find(function), descriptor, options);
    }

    /**
     * Not by the linker's default lookup: it opens a file of the JDK at its first use, and finds nothing for the rest of the process
     * if no file descriptor is free then.
     */
    private static MemorySegment find(String function) {
        for (String library : LIBRARIES) {
            MemorySegment found = SymbolLookup.libraryLookup(library, Arena.global())
                    .find(function)
                    .orElse(null);
            if (found != null) {
                return found;
            }
        }
        throw new NoSuchElementException("The C library lacks " + function);
    }

    /** Returns the size of a page of memory in bytes: 4 KiB or, with some kernels of aarch64, 64 KiB. Needs native access. */
    public static int pageSize() {
        MethodHandle handle = bind("getpagesize", FunctionDescriptor.of(ValueLayout.JAVA_INT));
        try {
            return (int) handle.invokeExact();
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** Returns the effective user id of this process. */
    static int effectiveUser() {
        MethodHandle handle = bind("geteuid", FunctionDescriptor.of(ValueLayout.JAVA_INT));
        try {
            return (int) handle.invokeExact();
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }
}
