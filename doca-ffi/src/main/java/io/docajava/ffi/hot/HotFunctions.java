/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.hot;

import io.docajava.ffi.internal.NativeSymbols;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import java.util.TreeMap;

/**
 * Binds the hot functions of one library and records their descriptors, so that a test can compare them with the generated
 * ones.
 *
 * <p>No handle is critical, although most of these functions are short: any of them may log, and an upcall into Java from a
 * critical call would terminate the process.
 */
final class HotFunctions {

    private final NativeSymbols symbols;
    private final Map<String, FunctionDescriptor> descriptors = new TreeMap<>();

    HotFunctions(String library) {
        symbols = NativeSymbols.of(library);
    }

    MethodHandle bind(String function, MemoryLayout result, MemoryLayout... parameters) {
        return bind(function, FunctionDescriptor.of(result, parameters));
    }

    MethodHandle bindVoid(String function, MemoryLayout... parameters) {
        return bind(function, FunctionDescriptor.ofVoid(parameters));
    }

    private MethodHandle bind(String function, FunctionDescriptor descriptor) {
        descriptors.put(function, descriptor);
        return symbols.downcall(function, descriptor);
    }

    /** Returns the descriptors of the bound functions, by their C names. */
    Map<String, FunctionDescriptor> descriptors() {
        return descriptors;
    }
}
