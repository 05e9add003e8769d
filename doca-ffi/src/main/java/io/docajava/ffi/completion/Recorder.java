/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.completion;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.ffi.DocaLibraryException;
import io.docajava.ffi.internal.BundledLibrary;
import io.docajava.ffi.internal.Downcalls;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/** The bundled completion recorder, {@code docajava_completions.c}. */
final class Recorder {

    private static final System.Logger LOG = System.getLogger("io.docajava.ffi");

    private Recorder() {}

    /** Whether it can be used here; if not, the log says why, once. */
    static boolean isAvailable() {
        return Loading.LIBRARY != null;
    }

    /**
     * The address of a callback.
     *
     * @throws DocaLibraryException if the recorder cannot be used
     */
    static long callback(String function) {
        return library().address(function);
    }

    static long createQueue(long capacity, long limit) {
        library();
        try {
            return (long) Calls.QUEUE_CREATE.invokeExact(capacity, limit);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    static void destroyQueue(long queue) {
        try {
            Calls.QUEUE_DESTROY.invokeExact(queue);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    static boolean reserve(long queue, long capacity) {
        try {
            return (int) Calls.QUEUE_RESERVE.invokeExact(queue, capacity) != 0;
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    static long createContext(long queue, int index) {
        try {
            return (long) Calls.CONTEXT_CREATE.invokeExact(queue, index);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    static void destroyContext(long context) {
        try {
            Calls.CONTEXT_DESTROY.invokeExact(context);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    static int progress(MemorySegment progress, long engine, int maxCalls) {
        try {
            return (int) Calls.PROGRESS.invokeExact(progress, engine, maxCalls);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    private static BundledLibrary library() {
        BundledLibrary library = Loading.LIBRARY;
        if (library == null) {
            throw new DocaLibraryException(Loading.FAILURE);
        }
        return library;
    }

    /** Loads at first use; its failure is kept, and is no failure of this class's initialisation. */
    private static final class Loading {

        static final @Nullable BundledLibrary LIBRARY;
        static final String FAILURE;

        static {
            BundledLibrary library = null;
            String failure = "";
            try {
                library = BundledLibrary.open("libdocajava_completions.so");
            } catch (DocaLibraryException e) {
                failure = String.valueOf(e.getMessage());
                LOG.log(System.Logger.Level.INFO, "Completions use upcalls, which are slower. " + failure);
            }
            LIBRARY = library;
            FAILURE = failure;
        }
    }

    /** Initialised only when the library is there. */
    private static final class Calls {

        static final MethodHandle QUEUE_CREATE =
                library().downcall("docajava_queue_create", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG));
        static final MethodHandle QUEUE_DESTROY =
                library().downcall("docajava_queue_destroy", FunctionDescriptor.ofVoid(JAVA_LONG));
        static final MethodHandle QUEUE_RESERVE =
                library().downcall("docajava_queue_reserve", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
        static final MethodHandle CONTEXT_CREATE =
                library().downcall("docajava_context_create", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT));
        static final MethodHandle CONTEXT_DESTROY =
                library().downcall("docajava_context_destroy", FunctionDescriptor.ofVoid(JAVA_LONG));
        static final MethodHandle PROGRESS =
                library().downcall("docajava_progress", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    }
}
