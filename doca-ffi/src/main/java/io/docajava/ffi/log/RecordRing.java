/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.log;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.ffi.internal.Downcalls;
import io.docajava.ffi.internal.HelperLibrary;
import io.docajava.ffi.internal.NativeMemory;
import io.docajava.ffi.internal.UncheckedMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A ring of {@code docajava_log.c} that receives the SDK's records, and the errors that it keeps for each thread. The offsets
 * mirror its structures. Used only if the helper library is available.
 */
final class RecordRing {

    /** Flags of a thread and of its records, as in C. */
    static final int EXPECTED = 1;

    static final int OMITTED = 2;

    private static final long DROPPED = 0;
    private static final long LEVEL = 8;
    private static final long FLAGS = 12;
    private static final long THREAD = 16;
    private static final long LENGTH = 20;
    private static final long NAME = 24;
    private static final long NAME_SIZE = 16;
    private static final long TEXT = NAME + NAME_SIZE;
    private static final long TEXT_SIZE = 8192;

    private static final long ERROR = Integer.BYTES;
    private static final long ERRORS = 8;
    private static final long ERROR_SIZE = 1024;

    private static final long THREADS_WITH_ERRORS = threadsWithErrors();

    private final long ring;

    /** The last entry read, for the one thread that reads. */
    private final MemorySegment entry;

    private RecordRing(long ring, long entry) {
        this.ring = ring;
        this.entry = NativeMemory.ofAddress(entry, TEXT + TEXT_SIZE);
    }

    /**
     * Opens an empty ring that accepts no records yet.
     *
     * @throws OutOfMemoryError if there is no memory for it
     */
    static RecordRing open() {
        try {
            long ring = (long) Calls.OPEN.invokeExact();
            if (ring == 0) {
                throw new OutOfMemoryError("No memory for the ring of the SDK's log");
            }
            return new RecordRing(ring, (long) Calls.ENTRY.invokeExact(ring));
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** Returns the address of the ring in C, for calls that must not refer to this object. */
    long address() {
        return ring;
    }

    /** Accepts no more records, and makes the reading thread end when it has read the remaining ones. */
    void end() {
        try {
            Calls.END.invokeExact(ring);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** Frees a ring that no thread reads. */
    void close() {
        try {
            Calls.CLOSE.invokeExact(ring);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** Waits until all current records have been handled. Returns false on timeout. */
    boolean await(long milliseconds) {
        try {
            return (int) Calls.AWAIT.invokeExact(ring, milliseconds) != 0;
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** Returns the number of dropped records; 0 if the entry is a record. */
    long dropped() {
        return entry.get(JAVA_LONG, DROPPED);
    }

    /** The record. */
    SdkLogRecord record() {
        int length = entry.get(JAVA_INT, LENGTH);
        return new SdkLogRecord(
                entry.get(JAVA_INT, LEVEL),
                new String(entry.asSlice(TEXT, length).toArray(JAVA_BYTE), StandardCharsets.UTF_8),
                NativeMemory.string(entry.address() + NAME, NAME_SIZE),
                entry.get(JAVA_INT, THREAD),
                (entry.get(JAVA_INT, FLAGS) & EXPECTED) != 0);
    }

    /** Sets the most verbose level that the ring accepts. Returns the most verbose one of all rings of this process. */
    int setLimit(int level) {
        try {
            return (int) Calls.SET_LIMIT.invokeExact(ring, level);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /**
     * Makes an SDK pass its records to all rings, unless it already does.
     *
     * @param create the address of its function that creates a back end
     * @param backendOut receives the back end
     * @return the SDK's error
     */
    static int createBackend(long create, MemorySegment backendOut) {
        try {
            return (int) Calls.BACKEND.invokeExact(create, backendOut.address());
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** Sets or clears a flag of the calling thread, and returns whether it was set. */
    static boolean setFlag(int flag, boolean on) {
        try {
            return (int) Calls.SET_FLAG.invokeExact(flag, on ? 1 : 0) != 0;
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** Returns whether the calling thread has errors. Makes no native call while no thread has any. */
    static boolean hasErrors() {
        try {
            return UncheckedMemory.getLong(THREADS_WITH_ERRORS) != 0 && (int) Calls.COUNT.invokeExact() != 0;
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** Discards the errors of the calling thread. */
    static void forgetErrors() {
        try {
            Calls.FORGET.invokeExact();
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** Takes the errors of the calling thread, the oldest first. */
    static List<String> takeErrors() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errors = arena.allocate(ERROR + ERRORS * ERROR_SIZE, JAVA_INT.byteSize());
            Calls.TAKE.invokeExact(errors.address());
            int count = errors.get(JAVA_INT, 0);
            List<String> texts = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                texts.add(NativeMemory.string(errors.address() + ERROR + i * ERROR_SIZE, ERROR_SIZE));
            }
            return texts;
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    private static long threadsWithErrors() {
        try {
            return (long) Calls.THREADS_WITH_ERRORS.invokeExact();
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    private static final class Calls {

        static final MethodHandle OPEN = HelperLibrary.downcall("docajava_log_open", FunctionDescriptor.of(JAVA_LONG));
        static final MethodHandle ENTRY =
                HelperLibrary.shortDowncall("docajava_log_entry", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
        static final MethodHandle END =
                HelperLibrary.downcall("docajava_log_end", FunctionDescriptor.ofVoid(JAVA_LONG));
        static final MethodHandle CLOSE =
                HelperLibrary.downcall("docajava_log_close", FunctionDescriptor.ofVoid(JAVA_LONG));
        static final MethodHandle AWAIT =
                HelperLibrary.downcall("docajava_log_await", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
        static final MethodHandle BACKEND =
                HelperLibrary.downcall("docajava_log_backend", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
        static final MethodHandle SET_LIMIT = HelperLibrary.shortDowncall(
                "docajava_log_set_limit", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT));
        static final MethodHandle SET_FLAG = HelperLibrary.shortDowncall(
                "docajava_log_set_flag", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
        static final MethodHandle THREADS_WITH_ERRORS =
                HelperLibrary.shortDowncall("docajava_log_threads_with_errors", FunctionDescriptor.of(JAVA_LONG));
        static final MethodHandle COUNT =
                HelperLibrary.shortDowncall("docajava_log_count", FunctionDescriptor.of(JAVA_INT));
        static final MethodHandle FORGET =
                HelperLibrary.shortDowncall("docajava_log_forget", FunctionDescriptor.ofVoid());
        static final MethodHandle TAKE =
                HelperLibrary.shortDowncall("docajava_log_take", FunctionDescriptor.ofVoid(JAVA_LONG));
    }
}
