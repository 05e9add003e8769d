/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.completion;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.ffi.DocaLibraryException;
import io.docajava.ffi.internal.Downcalls;
import io.docajava.ffi.internal.HelperLibrary;
import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/**
 * Calls the completion recorder of the helper library, {@code docajava_completions.c}, for {@link
 * NativeCompletionQueue}.
 */
final class Recorder {

    private Recorder() {}

    /**
     * Returns the address of a callback.
     *
     * @throws DocaLibraryException if the library cannot be used
     */
    static long callback(String function) {
        return HelperLibrary.address(function);
    }

    static long createQueue(long capacity, long limit) {
        HelperLibrary.require();
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

    static boolean appendPlaceholder(long queue) {
        try {
            return (int) Calls.APPEND_PLACEHOLDER.invokeExact(queue) != 0;
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    static long createContext(long queue, int index, boolean endsRounds) {
        try {
            return (long) Calls.CONTEXT_CREATE.invokeExact(queue, index, endsRounds ? 1 : 0);
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

    static int progress(long progress, long engine, int maxCalls, long queue) {
        try {
            return (int) Calls.PROGRESS.invokeExact(progress, engine, maxCalls, queue);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** Initialised only if the library was loaded. */
    private static final class Calls {

        static final MethodHandle QUEUE_CREATE =
                HelperLibrary.downcall("docajava_queue_create", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG));
        static final MethodHandle QUEUE_DESTROY =
                HelperLibrary.downcall("docajava_queue_destroy", FunctionDescriptor.ofVoid(JAVA_LONG));
        static final MethodHandle QUEUE_RESERVE =
                HelperLibrary.downcall("docajava_queue_reserve", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
        static final MethodHandle APPEND_PLACEHOLDER =
                HelperLibrary.downcall("docajava_append_placeholder", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
        static final MethodHandle CONTEXT_CREATE = HelperLibrary.downcall(
                "docajava_context_create", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT));
        static final MethodHandle CONTEXT_DESTROY =
                HelperLibrary.downcall("docajava_context_destroy", FunctionDescriptor.ofVoid(JAVA_LONG));
        static final MethodHandle PROGRESS = HelperLibrary.downcall(
                "docajava_progress", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG));
    }
}
