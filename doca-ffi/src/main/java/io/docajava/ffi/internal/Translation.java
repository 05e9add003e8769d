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
 * A library in C that stands before the libraries of an older SDK: it exports functions that doca-java calls, and makes them of
 * those of that SDK.
 */
final class Translation {

    /** For the SDKs with work queues. */
    static final String WORK_QUEUES = "libdocajava_pe_on_workq.so";

    /** For the SDKs whose RDMA contexts have one connection each; what it does not export is called in the SDK itself. */
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
     * @throws DocaLibraryException if there is no doca-compat, or it cannot be used here: a text that begins with a verb
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
     * Has the translation use a library of the older SDK.
     *
     * @param name its short name; {@code common} comes first
     * @param path its file
     * @return why it cannot be used: a text that begins with a verb; empty if it can
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

    /** The path of the translation itself. */
    String path() {
        return library.path();
    }

    /** Returns whether the SDK has no function that Java may call itself. */
    boolean isWhole() {
        return isWhole;
    }

    /** The address of a function that it exports, 0 if it does not. */
    long find(String function) {
        return library.find(function);
    }
}
