/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.log;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.ffi.DocaFunctionException;
import io.docajava.ffi.DocaLibrary;
import io.docajava.ffi.DocaLibraryException;
import io.docajava.ffi.internal.Downcalls;
import io.docajava.ffi.internal.HelperLibrary;
import io.docajava.ffi.internal.NativeSymbols;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The records that the DOCA libraries of this process log. A handler in C keeps them, and never calls Java: a call into Java
 * from inside of the SDK ends the process when the stack overflows or the heap is full. Java gets them in two ways:
 *
 * <ul>
 *   <li>A thread of its own, {@value #READER}, hands them to a {@link Sink} in order. It is a daemon and sleeps in native
 *       code while there are none. If it falls behind, the newest records are dropped and counted.
 *   <li>The errors of a thread are kept for that thread, which takes them when a call has failed. A virtual thread must not
 *       wait for anything between the call and that, as the errors are those of the thread that carries it.
 * </ul>
 *
 * <p>Without the helper library there is no log. All methods are for any thread.
 */
public final class SdkLog {

    /** Receives records on the thread that reads them. What it throws is reported and does no harm. */
    public interface Sink {

        /** Receives a record. */
        void record(SdkLogRecord record);

        /** Learns how many records were lost since the last time, as the sink was too slow or the memory was used up. */
        void lost(long records);
    }

    /** The thread that reads. */
    private static final String READER = "doca-sdk-log";

    /** Room for one record, its terminator included; the SDK cuts off what is longer. */
    private static final long CAPACITY = 8 * 1024;

    /** {@code DOCA_LOG_LEVEL_ERROR}: the SDK's errors are wanted in any case, as reasons. */
    private static final int ERROR = 30;

    /** How long an exiting JVM waits for the sink, in milliseconds. */
    private static final long LAST_RECORDS = 1000;

    private static final System.Logger LOG = System.getLogger("io.docajava.ffi");
    private static final Object LOCK = new Object();

    private static volatile @Nullable SdkLog installed;

    /** A {@code struct doca_log_backend}, which cannot be destroyed; 0 until there is one. Guarded by the lock. */
    private static long backend;

    private final Sink sink;
    private final RecordRing ring = new RecordRing();

    /** Guards {@link #delivered}. */
    private final Object progress = new Object();

    /** How many records the sink has had. */
    private long delivered;

    /** Records that the sink could not even be told of. Of the reader. */
    private long lost;

    private SdkLog(Sink sink) {
        this.sink = sink;
    }

    /**
     * Has all records handed to a sink, from now to the end of the process.
     *
     * @param level from 20 (critical) to 70 (trace); 10 is silence
     * @param sink gets each record
     * @throws IllegalStateException if that was done before, or the SDK refuses
     * @throws DocaLibraryException if there are no DOCA libraries, or the helper library cannot be used
     * @throws DocaFunctionException if they lack a function that this needs
     */
    public static void install(int level, Sink sink) {
        DocaLibrary.load().require("doca_log_backend_set_sdk_level");
        HelperLibrary.require();
        synchronized (LOCK) {
            if (installed != null) {
                throw new IllegalStateException("The SDK's log is taken already");
            }
            if (backend == 0) {
                backend = create();
            }
            limit(level);
            SdkLog log = new SdkLog(sink);
            log.startReader();
            installed = log;
        }
    }

    /**
     * Changes the level.
     *
     * @param level from 20 (critical) to 70 (trace); 10 is silence
     * @throws IllegalStateException if nothing is installed, or the SDK refuses
     */
    public static void setLevel(int level) {
        synchronized (LOCK) {
            required();
            limit(level);
        }
    }

    /**
     * Waits until the sink has had all records that were logged before.
     *
     * @param milliseconds how long at most
     * @return false if that was not long enough
     * @throws IllegalStateException if nothing is installed
     * @throws InterruptedException if the thread is interrupted
     */
    public static boolean awaitDelivery(long milliseconds) throws InterruptedException {
        return required().await(milliseconds);
    }

    /**
     * Takes the errors that the SDK has logged on this thread since they were last taken or forgotten: the oldest ones,
     * with their line ends, the oldest first.
     */
    public static List<String> takeErrors() {
        return hasErrors() ? RecordRing.takeErrors() : List.of();
    }

    /** Forgets the errors of this thread. It costs next to nothing if there are none. */
    public static void forgetErrors() {
        if (hasErrors()) {
            RecordRing.forgetErrors();
        }
    }

    /**
     * Says whether the calls that this thread makes from now on ask questions, so that their failures are answers. Records
     * say so; nothing else changes.
     *
     * @return what was said before
     */
    public static boolean expectErrors(boolean expected) {
        return installed != null && RecordRing.setFlag(RecordRing.EXPECTED, expected);
    }

    private static boolean hasErrors() {
        return installed != null && RecordRing.hasErrors();
    }

    private static SdkLog required() {
        SdkLog log = installed;
        if (log == null) {
            throw new IllegalStateException("The SDK's log is not taken");
        }
        return log;
    }

    private static long create() {
        // It is used until the process ends.
        MemorySegment buffer = Arena.global().allocate(CAPACITY);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment backendOut = arena.allocate(JAVA_LONG);
            check((int)
                    Calls.CREATE.invokeExact(buffer.address(), CAPACITY, RecordRing.handler(), backendOut.address()));
            return backendOut.get(JAVA_LONG, 0);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    private static void limit(int level) {
        int asked = Math.max(level, ERROR);
        try {
            check((int) Calls.SET_LEVEL.invokeExact(backend, asked));
            // The process's own limit applies as well, and is lower than what may be asked for.
            if ((int) Calls.GET_GLOBAL_LIMIT.invokeExact() < asked) {
                check((int) Calls.SET_GLOBAL_LIMIT.invokeExact(asked));
            }
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
        RecordRing.setLimit(level);
    }

    private static void check(int error) {
        if (error != 0) {
            throw new IllegalStateException("The SDK's log cannot be taken: DOCA error " + error);
        }
    }

    private void startReader() {
        Thread.ofPlatform()
                .daemon()
                .name(READER)
                .inheritInheritableThreadLocals(false)
                .start(this::read);
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(this::awaitLast, READER + "-end"));
        } catch (IllegalStateException e) {
            // The JVM is about to exit: the last records may be lost.
        }
    }

    /** An exiting JVM does not wait for this thread, be it here in Java or asleep in C. */
    private void read() {
        // What a sink that uses DOCA causes to be logged must not come to it in turn, for ever.
        RecordRing.setFlag(RecordRing.OMITTED, true);
        while (true) {
            ring.next();
            deliver();
            synchronized (progress) {
                delivered = ring.position();
                progress.notifyAll();
            }
        }
    }

    private void deliver() {
        try {
            if (ring.dropped() == 0) {
                sink.record(ring.record());
            } else {
                lost += ring.dropped();
            }
        } catch (OutOfMemoryError e) {
            // The sink learns of it when there is memory again.
            lost++;
            return;
        } catch (Throwable e) {
            complain(e);
        }
        if (lost != 0) {
            reportLost();
        }
    }

    private void reportLost() {
        long reported = lost;
        lost = 0;
        try {
            sink.lost(reported);
        } catch (OutOfMemoryError e) {
            lost = reported;
        } catch (Throwable e) {
            complain(e);
        }
    }

    private static void complain(Throwable thrown) {
        try {
            LOG.log(System.Logger.Level.WARNING, "A record of the SDK's log could not be handled", thrown);
        } catch (Throwable e) {
            // Nobody is left to tell.
        }
    }

    private void awaitLast() {
        try {
            await(LAST_RECORDS);
        } catch (InterruptedException e) {
            // The JVM exits anyway.
        }
    }

    private boolean await(long milliseconds) throws InterruptedException {
        long recorded = RecordRing.recorded();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(milliseconds);
        synchronized (progress) {
            while (delivered < recorded) {
                long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (left <= 0) {
                    return false;
                }
                progress.wait(left);
            }
            return true;
        }
    }

    private static final class Calls {

        private static final NativeSymbols COMMON = NativeSymbols.of("common");

        /** The same function under the name of DOCA 2.6 and later, or under that of 2.5. */
        static final MethodHandle CREATE = COMMON.downcallRenamed(
                "doca_log_backend_create_with_buf_sdk",
                "doca_log_backend_create_with_buffer_sdk",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));

        static final MethodHandle SET_LEVEL =
                COMMON.downcall("doca_log_backend_set_sdk_level", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT));
        static final MethodHandle GET_GLOBAL_LIMIT =
                COMMON.downcall("doca_log_level_get_global_sdk_limit", FunctionDescriptor.of(JAVA_INT));
        static final MethodHandle SET_GLOBAL_LIMIT =
                COMMON.downcall("doca_log_level_set_global_sdk_limit", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    }
}
