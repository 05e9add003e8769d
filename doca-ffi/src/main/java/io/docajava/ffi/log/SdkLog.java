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
import java.lang.ref.Reference;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The records that the DOCA libraries of this process log. A handler in C keeps them, and never calls Java: a call into Java
 * from inside of the SDK ends the process when the stack overflows or the heap is full. Java gets them in two ways:
 *
 * <ul>
 *   <li>A thread of its own, {@value #READER}, hands them to a {@link Sink} in order. It is a daemon and sleeps in native
 *       code while there are none. If it falls behind, the newest records are dropped and counted. It ends with {@link
 *       #uninstall()}, or by itself when the class loader of this class has been collected, which it does not prevent.
 *   <li>The errors of a thread are kept for that thread, which takes them when a call has failed. A virtual thread must not
 *       wait for anything between the call and that, as the errors are those of the thread that carries it.
 * </ul>
 *
 * <p>Class loaders that have this class each get every record once. Without the helper library there is no log. All methods are
 * for any thread.
 */
public final class SdkLog {

    /** Receives records on the thread that reads them. Its exceptions are logged and have no other effect. */
    public interface Sink {

        /** Receives a record. */
        void record(SdkLogRecord record);

        /** Learns how many records were lost since the last time, as the sink was too slow or the memory was used up. */
        void lost(long records);
    }

    /** The thread that reads. */
    private static final String READER = "doca-sdk-log";

    /** {@code DOCA_LOG_LEVEL_ERROR}: the SDK's errors are wanted in any case, as reasons. */
    private static final int ERROR = 30;

    /** How long {@link #uninstall()} waits for the sink, in milliseconds. */
    private static final long LAST_RECORDS = 1000;

    /** The interval at which {@link #install} checks that the thread that it has started is alive, in milliseconds. */
    private static final long ALIVE_CHECK = 100;

    private static final System.Logger LOG = System.getLogger("io.docajava.ffi");
    private static final Object LOCK = new Object();

    private static volatile @Nullable SdkLog installed;

    /** True if the SDK's errors have been kept from some time on. */
    private static volatile boolean keepsErrors;

    private final Sink sink;
    private final RecordRing ring;

    /** A {@code struct doca_log_backend}, which cannot be destroyed and serves all rings. */
    private final long backend;

    /** The thread refers to this weakly. */
    private final IntPredicate handler = this::handle;

    /** Open once the thread has called {@link #handler}: from then on a full heap does not end it. */
    private final CountDownLatch ready = new CountDownLatch(1);

    private @Nullable Thread reader;

    /** Lost records that the sink was not notified of. Of the reader. */
    private long lost;

    private SdkLog(Sink sink, RecordRing ring, long backend) {
        this.sink = sink;
        this.ring = ring;
        this.backend = backend;
    }

    /**
     * Has all records handed to a sink from now on.
     *
     * @param level from 20 (critical) to 70 (trace); 10 is silence
     * @param sink gets each record
     * @throws IllegalStateException if that was done before, or the SDK refuses
     * @throws DocaLibraryException if there are no DOCA libraries, or the helper library cannot be used
     * @throws DocaFunctionException if they lack a function that this needs
     * @throws OutOfMemoryError if there is no memory for the records or the thread
     */
    public static void install(int level, Sink sink) {
        DocaLibrary.load().require("doca_log_backend_set_sdk_level");
        HelperLibrary.require();
        synchronized (LOCK) {
            if (installed != null) {
                throw new IllegalStateException("The SDK's log is taken already");
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
     * Hands over the records that are there, and no more. Returns when the thread that does so has ended, or after a second,
     * or at once if it is the caller. Does nothing if nothing is installed.
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
            // The thread itself does not keep it.
            Reference.reachabilityFence(log);
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
            required().limit(level);
        }
    }

    /**
     * Waits until the sink has had all records that were logged before.
     *
     * @param milliseconds how long at most
     * @return false if that was not long enough
     * @throws IllegalStateException if nothing is installed
     */
    public static boolean awaitDelivery(long milliseconds) {
        return required().ring.await(milliseconds);
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
        return keepsErrors && RecordRing.setFlag(RecordRing.EXPECTED, expected);
    }

    private static boolean hasErrors() {
        return keepsErrors && RecordRing.hasErrors();
    }

    private static SdkLog required() {
        SdkLog log = installed;
        if (log == null) {
            throw new IllegalStateException("The SDK's log is not taken");
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
                    throw new OutOfMemoryError("The thread that reads the SDK's log finds no memory");
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
        long create = Calls.COMMON.requiredAddress("doca_log_backend_create_with_buf_sdk");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment backendOut = arena.allocate(JAVA_LONG);
            check(RecordRing.createBackend(create, backendOut));
            return backendOut.get(JAVA_LONG, 0);
        }
    }

    /** The SDK has one level for all rings; another class loader may set that of its own at the same time. */
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
            check((int) Calls.SET_LEVEL.invokeExact(backend, level));
            // The process's own limit applies as well, and is lower than what may be asked for.
            if ((int) Calls.GET_GLOBAL_LIMIT.invokeExact() < level) {
                check((int) Calls.SET_GLOBAL_LIMIT.invokeExact(level));
            }
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    private static void check(int error) {
        if (error != 0) {
            throw new IllegalStateException("The SDK's log cannot be taken: DOCA error " + error);
        }
    }

    /** Of the thread that reads: there is an entry if the result is positive, and the ring has ended if it is negative. */
    private boolean handle(int result) {
        if (ready.getCount() != 0) {
            // What a sink that uses DOCA causes to be logged must not come to it in turn, for ever.
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
