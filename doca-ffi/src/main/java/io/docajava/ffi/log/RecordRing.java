/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.log;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.ffi.internal.AllMemory;
import io.docajava.ffi.internal.Downcalls;
import io.docajava.ffi.internal.HelperLibrary;
import io.docajava.ffi.internal.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The records that {@code docajava_log.c} keeps: all of them in a ring, and the errors of each thread. The offsets are those
 * of its structures. Used only where the helper library is there.
 */
final class RecordRing {

    /** Flags of a thread and of its records, as in C. */
    static final int EXPECTED = 1;

    static final int OMITTED = 2;

    private static final long POSITION = 0;
    private static final long DROPPED = 8;
    private static final long LEVEL = 16;
    private static final long FLAGS = 20;
    private static final long THREAD = 24;
    private static final long LENGTH = 28;
    private static final long NAME = 32;
    private static final long NAME_SIZE = 16;
    private static final long TEXT = NAME + NAME_SIZE;
    private static final long TEXT_SIZE = 8192;

    private static final long ERROR = Integer.BYTES;
    private static final long ERRORS = 8;
    private static final long ERROR_SIZE = 1024;

    private static final long THREADS_WITH_ERRORS = threadsWithErrors();

    /** The entry that was read last; for the one thread that reads. */
    private final MemorySegment entry = Arena.global().allocate(TEXT + TEXT_SIZE, JAVA_LONG.byteSize());

    /** Waits for the next record, or for the number of those that were dropped, which the methods below then tell of. */
    void next() {
        try {
            Calls.NEXT.invokeExact(entry.address());
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** How many records were read. */
    long position() {
        return entry.get(JAVA_LONG, POSITION);
    }

    /** How many records found no room; 0 if there is a record. */
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

    /** How many records there have been, dropped ones left out. */
    static long recorded() {
        try {
            return (long) Calls.RECORDED.invokeExact();
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** Sets the most verbose level that gets into the ring. */
    static void setLimit(int level) {
        try {
            Calls.SET_LIMIT.invokeExact(level);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** Gives the calling thread a flag or takes it away, and returns whether it had it. */
    static boolean setFlag(int flag, boolean on) {
        try {
            return (int) Calls.SET_FLAG.invokeExact(flag, on ? 1 : 0) != 0;
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** Whether any thread has errors. It is exact for the calling thread's own. */
    static boolean hasErrors() {
        return AllMemory.getLong(THREADS_WITH_ERRORS) != 0;
    }

    /** Forgets the errors of the calling thread. */
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

    /** The handler to give to the SDK. */
    static long handler() {
        return HelperLibrary.address("docajava_log_record");
    }

    private static long threadsWithErrors() {
        try {
            return (long) Calls.THREADS_WITH_ERRORS.invokeExact();
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    private static final class Calls {

        static final MethodHandle NEXT =
                HelperLibrary.downcall("docajava_log_next", FunctionDescriptor.ofVoid(JAVA_LONG));
        static final MethodHandle RECORDED =
                HelperLibrary.shortDowncall("docajava_log_recorded", FunctionDescriptor.of(JAVA_LONG));
        static final MethodHandle SET_LIMIT =
                HelperLibrary.shortDowncall("docajava_log_set_limit", FunctionDescriptor.ofVoid(JAVA_INT));
        static final MethodHandle SET_FLAG = HelperLibrary.shortDowncall(
                "docajava_log_set_flag", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
        static final MethodHandle THREADS_WITH_ERRORS =
                HelperLibrary.shortDowncall("docajava_log_threads_with_errors", FunctionDescriptor.of(JAVA_LONG));
        static final MethodHandle FORGET =
                HelperLibrary.shortDowncall("docajava_log_forget", FunctionDescriptor.ofVoid());
        static final MethodHandle TAKE =
                HelperLibrary.shortDowncall("docajava_log_take", FunctionDescriptor.ofVoid(JAVA_LONG));
    }
}
