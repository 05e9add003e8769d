/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.Serial;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The dynamic loader of Linux. Unlike {@code SymbolLookup.libraryLookup} it reports why a library cannot be loaded. */
final class DynamicLoader {

    private static final int RTLD_NOW = 2;
    private static final int RTLD_DI_LINKMAP = 2;

    /** The offset of the file's path in {@code struct link_map}, after the load address. */
    private static final long LINK_MAP_NAME = 8;

    private final MethodHandle open;
    private final MethodHandle symbol;
    private final MethodHandle error;

    /**
     * Needs native access: see {@link NativeAccess#require()}. Addresses are passed as numbers, like in the functions of DOCA,
     * because each further signature delays the start of a JVM by some milliseconds.
     */
    DynamicLoader() {
        open = LibC.bind("dlopen", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT));
        symbol = LibC.bind("dlsym", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG));
        error = LibC.bind("dlerror", FunctionDescriptor.of(JAVA_LONG));
    }

    /**
     * Opens a library, which is never closed ({@code dlopen}).
     *
     * @param file a path, or a bare soname for the loader's own search
     * @throws LoadFailure with the loader's text
     */
    SharedLibrary open(String file) throws LoadFailure {
        try (Arena arena = Arena.ofConfined()) {
            long handle = (long) open.invokeExact(arena.allocateFrom(file).address(), RTLD_NOW);
            if (handle == 0) {
                throw new LoadFailure(NativeMemory.string((long) error.invokeExact()));
            }
            return new SharedLibrary(this, handle, file);
        } catch (LoadFailure e) {
            throw e;
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** Returns the address of an exported symbol ({@code dlsym}), 0 if there is none. */
    long find(long handle, String name) {
        try (Arena arena = Arena.ofConfined()) {
            return (long) symbol.invokeExact(handle, arena.allocateFrom(name).address());
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** Returns the path of an opened library ({@code dlinfo}), or {@code file} if the loader does not know it. */
    String pathOf(long handle, String file) {
        MethodHandle info = LibC.bind("dlinfo", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment linkMap = arena.allocate(JAVA_LONG);
            if ((int) info.invokeExact(handle, RTLD_DI_LINKMAP, linkMap.address()) != 0) {
                return file;
            }
            MemorySegment name = NativeMemory.ofAddress(linkMap.get(JAVA_LONG, 0) + LINK_MAP_NAME, Long.BYTES);
            return NativeMemory.string(name.get(JAVA_LONG, 0));
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** A library cannot be loaded. The message is the loader's text. */
    static final class LoadFailure extends Exception {

        @Serial
        private static final long serialVersionUID = 1;

        LoadFailure(String text) {
            super(text);
        }
    }
}
