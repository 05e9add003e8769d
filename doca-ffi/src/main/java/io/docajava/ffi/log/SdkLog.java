/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.log;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.ffi.DocaFunctionException;
import io.docajava.ffi.DocaLibraryException;
import io.docajava.ffi.internal.Downcalls;
import io.docajava.ffi.internal.HelperLibrary;
import io.docajava.ffi.internal.NativeLoading;
import io.docajava.ffi.internal.NativeSymbols;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.ref.Reference;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The log of the DOCA libraries of this process. A handler in C stores the records and never calls Java: an upcall from inside the
 * SDK would terminate the process when the stack overflows or the heap is full. Java gets the records in two ways:
 *
 * <ul>
 *   <li>A separate thread, {@value #READER}, passes them to a {@link Sink} in order. It is a daemon and sleeps in native code
 *       while there are none. If it falls behind, the newest records are dropped and counted. It ends with {@link #uninstall()},
 *       or after the class loader of this class was collected, which it does not prevent.
 *   <li>The errors of a thread are kept for that thread, which takes them when a call has failed. A virtual thread must not block
 *       between the call and taking the errors, because they belong to its carrier thread.
 * </ul>
 *
 * <p>Each class loader with this class gets every record once. Without the helper library there is no log. Any thread may call all
 * methods.
 */
public final class SdkLog {

    /** The SDK has refused a call for its log. */
    public static final class RefusedException extends IllegalStateException {

        private static final long serialVersionUID = 1;

        private final int error;
        private final String function;

        RefusedException(int error, String function) {
            super("The SDK's log cannot be redirected: " + function + " failed with DOCA error " + error);
            this.error = error;
            this.function = function;
        }

        /** Returns the {@code doca_error_t}. */
        public int error() {
            return error;
        }

        /** Returns the C name of the function that has failed. */
        public String function() {
            return function;
        }
    }

    /** Receives records on the thread that reads them. Its exceptions are logged and have no other effect. */
    public interface Sink {

        /** Receives a record. */
        void record(SdkLogRecord record);

        /** Receives the number of records lost since the last call, because the sink was too slow or memory ran out. */
        void lost(long records);
    }

    /** The name of the thread that reads. */
    private static final String READER = "doca-sdk-log";

    /** {@code DOCA_LOG_LEVEL_ERROR}: errors are always recorded, because exceptions use them as reasons. */
    private static final int ERROR = 30;

    /** The time that {@link #uninstall()} waits for the sink, in milliseconds. */
    private static final long LAST_RECORDS = 1000;

    /** The interval at which {@link #install} checks that its thread is alive, in milliseconds. */
    private static final long ALIVE_CHECK = 100;

    private static final System.Logger LOG = System.getLogger("io.docajava.ffi");
    private static final Object LOCK = new Object();

    private static volatile @Nullable SdkLog installed;

    /** True once the SDK's errors are kept. */
    private static volatile boolean keepsErrors;

    private final Sink sink;
    private final RecordRing ring;

    /** A {@code struct doca_log_backend}, which cannot be destroyed and is used for all rings. */
    private final long backend;

    /** Referred to weakly by the thread. */
    private final IntPredicate handler = this::handle;

    /** Counted down when the thread has called {@link #handler}. From then on a full heap does not end the thread. */
    private final CountDownLatch ready = new CountDownLatch(1);

    private @Nullable Thread reader;

    /** The number of lost records that the sink was not notified of. Used only by the reader. */
    private long lost;

    private SdkLog(Sink sink, RecordRing ring, long backend) {
        this.sink = sink;
        this.ring = ring;
        this.backend = backend;
    }

    /**
     * Starts passing all records to a sink.
     *
     * @param level from 20 (critical) to 70 (trace); 10 disables the log
     * @param sink receives each record
     * @throws IllegalStateException if a sink is already installed, or the SDK refuses
     * @throws DocaLibraryException if there are no DOCA libraries, or the helper library cannot be used
     * @throws DocaFunctionException if they lack a required function
     * @throws OutOfMemoryError if there is no memory for the records or the thread
     */
    public static void install(int level, Sink sink) {
        NativeLoading.sdk().require("doca_log_backend_set_sdk_level");
        HelperLibrary.require();
        synchronized (LOCK) {
            if (installed != null) {
                throw new IllegalStateException("The SDK's log has a sink already");
            }
            long backend = backend();
            SdkLog log = new SdkLog(sink, RecordRing.open(), backend);
            try {
                log.limit(level);
                log.reader = ReaderThread.start(READER, log.ring, log.handler);
            } catch (Throwable e) {
                log.ring.close();
                throw e;
            }
            log.awaitReader(log.reader);
            keepsErrors = true;
            installed = log;
        }
    }

    /**
     * Passes the current records to the sink, and no later ones. Returns when the reading thread has ended, or after a second, or
     * at once if the caller is that thread. Does nothing if no sink is installed.
     */
    public static void uninstall() {
        SdkLog log;
        synchronized (LOCK) {
            log = installed;
            installed = null;
        }
        if (log == null) {
            return;
        }
        log.ring.end();
        Thread reader = log.reader;
        if (reader == null || reader.equals(Thread.currentThread())) {
            return;
        }
        try {
            reader.join(LAST_RECORDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            // The thread itself does not keep the reference.
            Reference.reachabilityFence(log);
        }
    }

    /**
     * Changes the level.
     *
     * @param level from 20 (critical) to 70 (trace); 10 disables the log
     * @throws IllegalStateException if no sink is installed
     * @throws RefusedException if the SDK refuses
     */
    public static void setLevel(int level) {
        synchronized (LOCK) {
            required().limit(level);
        }
    }

    /**
     * Waits until the sink has received all records that were logged before.
     *
     * @param milliseconds the time limit
     * @return false on timeout
     * @throws IllegalStateException if no sink is installed
     */
    public static boolean awaitDelivery(long milliseconds) {
        return required().ring.await(milliseconds);
    }

    /**
     * Takes the errors that the SDK has logged on this thread since they were last taken or discarded: the first few, with their
     * line ends, the oldest first.
     */
    public static List<String> takeErrors() {
        return hasErrors() ? RecordRing.takeErrors() : List.of();
    }

    /** Discards the errors of this thread. The cost is negligible if there are none. */
    public static void forgetErrors() {
        if (hasErrors()) {
            RecordRing.forgetErrors();
        }
    }

    /**
     * Sets whether the following calls of this thread are queries, whose failures are expected. Only the flag in the records
     * changes.
     *
     * @return the previous value
     */
    public static boolean expectErrors(boolean expected) {
        return keepsErrors && RecordRing.setFlag(RecordRing.EXPECTED, expected);
    }

    private static boolean hasErrors() {
        return keepsErrors && RecordRing.hasErrors();
    }

    private static SdkLog required() {
        SdkLog log = installed;
        if (log == null) {
            throw new IllegalStateException("The SDK's log has no sink");
        }
        return log;
    }

    private void awaitReader(Thread reader) {
        boolean interrupted = false;
        boolean isReady = false;
        while (!isReady) {
            try {
                isReady = ready.await(ALIVE_CHECK, TimeUnit.MILLISECONDS);
                if (!isReady && !reader.isAlive() && ready.getCount() != 0) {
                    throw new OutOfMemoryError("No memory for the thread that reads the SDK's log");
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static long backend() {
        String function = "doca_log_backend_create_with_buf_sdk";
        long create = Calls.COMMON.requiredAddress(function);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment backendOut = arena.allocate(JAVA_LONG);
            check(RecordRing.createBackend(create, backendOut), function);
            return backendOut.get(JAVA_LONG, 0);
        }
    }

    /** Sets the level. The SDK has one level for all rings, and another class loader may set its own at the same time. */
    private void limit(int level) {
        int most = ring.setLimit(level);
        while (true) {
            limitSdk(Math.max(most, ERROR));
            int now = ring.setLimit(level);
            if (now == most) {
                return;
            }
            most = now;
        }
    }

    private void limitSdk(int level) {
        try {
            check((int) Calls.SET_LEVEL.invokeExact(backend, level), "doca_log_backend_set_sdk_level");
            // The global limit of the process also applies, and may be below the requested level.
            if ((int) Calls.GET_GLOBAL_LIMIT.invokeExact() < level) {
                check((int) Calls.SET_GLOBAL_LIMIT.invokeExact(level), "doca_log_level_set_global_sdk_limit");
            }
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    private static void check(int error, String function) {
        if (error != 0) {
            throw new RefusedException(error, function);
        }
    }

    /** Called by the reader: there is an entry if the result is positive, and the ring has ended if it is negative. */
    private boolean handle(int result) {
        if (ready.getCount() != 0) {
            // Records that a sink causes by using DOCA must not reach the sink again, in an endless loop.
            RecordRing.setFlag(RecordRing.OMITTED, true);
            ready.countDown();
        }
        if (result > 0) {
            deliver();
        }
        return result >= 0;
    }

    private void deliver() {
        try {
            if (ring.dropped() == 0) {
                sink.record(ring.record());
            } else {
                lost += ring.dropped();
            }
        } catch (OutOfMemoryError e) {
            // The sink is notified when there is memory again.
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
            // No sink is left to notify.
        }
    }

    private static final class Calls {

        static final NativeSymbols COMMON = NativeSymbols.of("common");

        static final MethodHandle SET_LEVEL =
                COMMON.downcall("doca_log_backend_set_sdk_level", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT));
        static final MethodHandle GET_GLOBAL_LIMIT =
                COMMON.downcall("doca_log_level_get_global_sdk_limit", FunctionDescriptor.of(JAVA_INT));
        static final MethodHandle SET_GLOBAL_LIMIT =
                COMMON.downcall("doca_log_level_set_global_sdk_limit", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    }
}
