/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.ffi.DocaLibraryException;
import io.docajava.ffi.TranslationProvider;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * A C library that translates to the libraries of an older SDK: it exports functions that doca-java calls, and implements them
 * with the functions of that SDK.
 */
final class Translation {

    /** For SDKs with work queues. */
    static final String WORK_QUEUES = "libdocajava_pe_on_workq.so";

    /** For SDKs whose RDMA contexts have one connection each. Java calls the functions that it lacks in the SDK directly. */
    static final String RDMA_CONNECTIONS = "libdocajava_rdma_connections.so";

    private final SharedLibrary library;
    private final boolean isWhole;
    private final MethodHandle use;
    private final MethodHandle free = LibC.bind("free", FunctionDescriptor.ofVoid(JAVA_LONG));

    private Translation(SharedLibrary library, boolean isWhole) {
        this.library = library;
        this.isWhole = isWhole;
        use = Linker.nativeLinker()
                .downcallHandle(
                        MemorySegment.ofAddress(library.find("docajava_old_sdk_open")),
                        FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    /**
     * Opens a translation of doca-compat.
     *
     * @throws DocaLibraryException if there is no doca-compat, or it cannot be used here; the message begins with a verb
     */
    static Translation open(DynamicLoader loader, String file) {
        try {
            Optional<TranslationProvider> provider = ServiceLoader.load(
                            TranslationProvider.class, TranslationProvider.class.getClassLoader())
                    .findFirst();
            if (provider.isEmpty()) {
                throw new DocaLibraryException("is neither on the class path nor on the module path");
            }
            return new Translation(
                    loader.open(provider.get().libraryDirectory().resolve(file).toString()), file.equals(WORK_QUEUES));
        } catch (IOException | ServiceConfigurationError | DynamicLoader.LoadFailure e) {
            throw new DocaLibraryException("cannot be used: " + e.getMessage(), e);
        }
    }

    /**
     * Makes the translation use a library of the older SDK.
     *
     * @param name its short name; {@code common} comes first
     * @param path its file
     * @return the reason why it cannot be used, a text that begins with a verb; empty if it can
     */
    String use(String name, String path) {
        try (Arena arena = Arena.ofConfined()) {
            long text = (long) use.invokeExact(
                    arena.allocateFrom(name).address(), arena.allocateFrom(path).address());
            if (text == 0) {
                return "";
            }
            String problem = NativeMemory.string(text);
            free.invokeExact(text);
            return problem;
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** Returns the path of the translation itself. */
    String path() {
        return library.path();
    }

    /** Returns whether Java must not call any function of the SDK directly. */
    boolean isWhole() {
        return isWhole;
    }

    /** Returns the address of an exported function, 0 if there is none. */
    long find(String function) {
        return library.find(function);
    }
}
