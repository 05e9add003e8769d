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
import java.lang.invoke.MutableCallSite;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The functions of one DOCA library, which the bindings look up during their class initialisation. Nothing throws then: for a
 * missing function the bindings get a handle that looks it up again at every call, and throws with the full reason while there is
 * none. A library that could not be opened may be usable later, for example when the process has file descriptors again.
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
        Lookup lookup = find(function);
        return lookup.absence() == null
                ? handle(lookup.address(), descriptor, options)
                : lateHandle(function, descriptor, options);
    }

    /**
     * Returns the address of a function.
     *
     * @throws DocaFunctionException if the library lacks it
     * @throws DocaLibraryException if there are no DOCA libraries
     */
    public long requiredAddress(String function) {
        Lookup lookup = find(function);
        if (lookup.absence() != null) {
            throw lookup.absence().exception();
        }
        return lookup.address();
    }

    private static MethodHandle handle(long address, FunctionDescriptor descriptor, Linker.Option... options) {
        return Transitions.counted(
                Linker.nativeLinker().downcallHandle(MemorySegment.ofAddress(address), descriptor, options));
    }

    /** Returns a handle that looks the function up at each call until there is one. */
    private MethodHandle lateHandle(String function, FunctionDescriptor descriptor, Linker.Option... options) {
        MethodType type = type(descriptor);
        MutableCallSite site = new MutableCallSite(type);
        Supplier<MethodHandle> lookUp = () -> {
            MethodHandle found = handle(requiredAddress(function), descriptor, options);
            site.setTarget(found);
            return found;
        };
        MethodHandle supplier = GET.bindTo(lookUp).asType(MethodType.methodType(MethodHandle.class));
        site.setTarget(MethodHandles.foldArguments(MethodHandles.exactInvoker(type), supplier));
        return site.dynamicInvoker();
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
