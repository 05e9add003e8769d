/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.docajava.ffi.DocaLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Arrays;

/** Calls the functions that a library in front of an SDK library offers to tests. They have only numbers as parameters. */
@SuppressWarnings("restricted")
final class Front {

    private final SymbolLookup symbols;

    Front(String library) {
        symbols = SymbolLookup.libraryLookup(Path.of(DocaLibrary.load().libraryPath(library)), Arena.global());
    }

    int ask(String function, int... arguments) {
        return (int) invoke(function, true, arguments);
    }

    void call(String function, int... arguments) {
        invoke(function, false, arguments);
    }

    private Object invoke(String function, boolean answers, int... arguments) {
        MemoryLayout[] parameters = new MemoryLayout[arguments.length];
        Arrays.fill(parameters, JAVA_INT);
        MethodHandle handle = Linker.nativeLinker()
                .downcallHandle(
                        symbols.findOrThrow(function),
                        answers ? FunctionDescriptor.of(JAVA_INT, parameters) : FunctionDescriptor.ofVoid(parameters));
        try {
            Object answer =
                    handle.invokeWithArguments(Arrays.stream(arguments).boxed().toList());
            return answer == null ? 0 : answer;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
