/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.log;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.ffi.DocaFunctionException;
import io.docajava.ffi.DocaLibrary;
import io.docajava.ffi.DocaLibraryException;
import io.docajava.ffi.internal.Downcalls;
import io.docajava.ffi.internal.NativeMemory;
import io.docajava.ffi.internal.NativeSymbols;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The records that the DOCA libraries themselves log, as text, for this whole process. */
public final class SdkLog {

    /** Room for one record, its terminator included; the SDK cuts off what is longer. */
    private static final long CAPACITY = 8 * 1024;

    /** {@code DOCA_LOG_LEVEL_DISABLE}: above it nothing is logged. */
    private static final int DISABLE = 10;

    private static final System.Logger LOG = System.getLogger("io.docajava.ffi");
    private static final Object LOCK = new Object();

    private static @Nullable SdkLog installed;

    private final Consumer<String> sink;
    private final long backend;

    private SdkLog(Consumer<String> sink) {
        this.sink = sink;
        this.backend = create();
    }

    /**
     * Has all records handed to a consumer, from now to the end of the process.
     *
     * @param level from 20 (critical) to 70 (trace); 10 is silence
     * @param sink gets each record with its line end, called on the thread that logs, which may be one of the SDK's. It
     *     must not call DOCA. What it throws is caught.
     * @throws IllegalStateException if that was done before, or the SDK refuses
     * @throws DocaLibraryException if there are no DOCA libraries
     * @throws DocaFunctionException if they lack a function that this needs
     */
    public static void install(int level, Consumer<String> sink) {
        DocaLibrary.load().require("doca_log_backend_set_sdk_level");
        synchronized (LOCK) {
            if (installed != null) {
                throw new IllegalStateException("The SDK's log is taken already");
            }
            SdkLog log = new SdkLog(sink);
            log.limit(level);
            installed = log;
            // What the libraries log while the process exits would call into a JVM that is no more.
            Runtime.getRuntime().addShutdownHook(new Thread(() -> log.limit(DISABLE), "doca-sdk-log-off"));
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
            if (installed == null) {
                throw new IllegalStateException("The SDK's log is not taken");
            }
            installed.limit(level);
        }
    }

    private long create() {
        MethodHandle handler;
        try {
            handler = MethodHandles.lookup()
                    .findVirtual(SdkLog.class, "record", MethodType.methodType(void.class, long.class))
                    .bindTo(this);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("SdkLog lacks its handler", e);
        }
        // All of this is used until the process ends.
        Arena forever = Arena.global();
        MemorySegment stub = Linker.nativeLinker().upcallStub(handler, FunctionDescriptor.ofVoid(JAVA_LONG), forever);
        MemorySegment buffer = forever.allocate(CAPACITY);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment backendOut = arena.allocate(JAVA_LONG);
            check((int) Calls.CREATE.invokeExact(buffer.address(), CAPACITY, stub.address(), backendOut.address()));
            return backendOut.get(JAVA_LONG, 0);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    private void limit(int level) {
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

    /** What the SDK calls, on any thread. Nothing may leave it: an exception in an upcall ends the process. */
    void record(long text) {
        try {
            sink.accept(NativeMemory.string(text, CAPACITY));
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
