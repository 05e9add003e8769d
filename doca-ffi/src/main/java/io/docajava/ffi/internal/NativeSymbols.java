/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import io.docajava.ffi.DocaFunctionException;
import io.docajava.ffi.DocaLibraryException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The functions of one DOCA library, which the bindings look up during their class initialisation. Nothing throws then: for a
 * missing function the bindings get a handle that throws at every call, with the full reason.
 */
public final class NativeSymbols {

    private static final MethodHandle GET = supplierGet();

    private final String library;

    private NativeSymbols(String library) {
        this.library = library;
    }

    /**
     * Returns the functions of a library.
     *
     * @param library its short name, such as {@code common}
     */
    public static NativeSymbols of(String library) {
        return new NativeSymbols(library);
    }

    /** Returns the address of a function, or NULL if it cannot be called. */
    public MemorySegment address(String function) {
        return MemorySegment.ofAddress(find(function).address());
    }

    /**
     * Returns the address of a function that is not part of DOCA, or 0 if the library lacks it.
     *
     * @throws DocaLibraryException if there are no DOCA libraries
     */
    public long privateAddress(String function) {
        return NativeLoading.sdk().find(library, function).address();
    }

    /** Returns a handle that calls a function, or throws a {@link DocaFunctionException} or {@link DocaLibraryException}. */
    public MethodHandle downcall(String function, FunctionDescriptor descriptor, Linker.Option... options) {
        return handle(find(function), descriptor, options);
    }

    /**
     * Returns the address of a function.
     *
     * @throws DocaFunctionException if the library lacks it
     * @throws DocaLibraryException if there are no DOCA libraries
     */
    public long requiredAddress(String function) {
        Lookup lookup = find(function);
        Absence absence = lookup.absence();
        if (absence != null) {
            throw absence.exception();
        }
        return lookup.address();
    }

    private static MethodHandle handle(Lookup lookup, FunctionDescriptor descriptor, Linker.Option... options) {
        Absence absence = lookup.absence();
        return absence == null
                ? Transitions.counted(Linker.nativeLinker()
                        .downcallHandle(MemorySegment.ofAddress(lookup.address()), descriptor, options))
                : thrower(absence, type(descriptor));
    }

    private Lookup find(String function) {
        LoadedSdk sdk;
        try {
            sdk = NativeLoading.sdk();
        } catch (DocaLibraryException e) {
            return new Lookup(0, new Absence(library, null, String.valueOf(e.getMessage())));
        }
        LoadedSdk.Symbol symbol = sdk.find(FunctionTable.get().function(function));
        return symbol.address() != 0
                ? new Lookup(symbol.address(), null)
                : new Lookup(0, new Absence(library, function, symbol.reason()));
    }

    private record Lookup(long address, @Nullable Absence absence) {}

    /** The reason why a function, or with a null function no function, can be called. */
    private record Absence(String library, @Nullable String function, String reason) {

        RuntimeException exception() {
            return function == null
                    ? new DocaLibraryException(reason)
                    : new DocaFunctionException(library, function, reason);
        }
    }

    private static MethodHandle thrower(Absence absence, MethodType type) {
        Supplier<RuntimeException> supplier = absence::exception;
        MethodHandle exception = GET.bindTo(supplier).asType(MethodType.methodType(RuntimeException.class));
        MethodHandle raise = MethodHandles.throwException(type.returnType(), RuntimeException.class);
        MethodHandle handle = MethodHandles.foldArguments(raise, exception);
        return MethodHandles.dropArguments(handle, 0, type.parameterList());
    }

    private static MethodHandle supplierGet() {
        try {
            return MethodHandles.publicLookup().findVirtual(Supplier.class, "get", MethodType.methodType(Object.class));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("The JDK lacks Supplier.get", e);
        }
    }

    /** Returns the type of the linker's handle: a struct result is returned in memory of the caller's allocator. */
    private static MethodType type(FunctionDescriptor descriptor) {
        MethodType type = descriptor.toMethodType();
        boolean byValue = descriptor.returnLayout().orElse(null) instanceof GroupLayout;
        return byValue ? type.insertParameterTypes(0, SegmentAllocator.class) : type;
    }
}
