/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Functions of the C library. */
public final class LibC {

    private LibC() {}

    /** Binds a function. Needs native access: see {@link NativeAccess#require()}. */
    public static MethodHandle bind(String function, FunctionDescriptor descriptor, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(function), descriptor, options);
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
