/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.log;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.invoke.MethodType.methodType;

import io.docajava.ffi.internal.Downcalls;
import io.docajava.ffi.internal.HelperLibrary;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.ref.WeakReference;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

/**
 * The thread that reads a ring, and the shutdown hook that waits for it. Neither keeps the class loader of doca-java alive: they
 * run only classes of the JDK, combined by method handles, and refer to the handler of records weakly. When the handler has been
 * collected with its loader, the thread closes the ring, removes the hook and ends.
 *
 * <p>In a native image of GraalVM both run code of this class. A native image cannot implement interfaces by method handles, and
 * does not unload classes.
 */
final class ReaderThread {

    /** The interval at which the thread checks that its handler still exists, in milliseconds; records wake it at once. */
    private static final long INTERVAL = 5000;

    /** The longest time that an exiting JVM waits for the last records to be handled, in milliseconds. */
    private static final long LAST_RECORDS = 1000;

    private static final boolean IS_NATIVE_IMAGE = System.getProperty("org.graalvm.nativeimage.imagecode") != null;

    private static final MethodHandles.Lookup PUBLIC = MethodHandles.publicLookup();

    private ReaderThread() {}

    /**
     * Starts the thread, as a daemon. When it ends, it closes the ring.
     *
     * @param handler called by the thread with 1 for each entry of the ring and with 0 from time to time; returns whether to
     *     continue. Only the caller keeps it alive.
     */
    static Thread start(String name, RecordRing ring, IntPredicate handler) {
        try {
            Thread hook = hook(name + "-end", ring);
            Runnable loop =
                    IS_NATIVE_IMAGE ? () -> read(ring, handler, hook) : runnable(loop(ring.address(), handler, hook));
            Thread reader = new Thread(null, loop, name, 0, false);
            reader.setDaemon(true);
            reader.setContextClassLoader(null);
            register(hook);
            reader.start();
            return reader;
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("The JDK lacks a method", e);
        }
    }

    private static void register(Thread hook) {
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is about to exit, and the last records may be lost.
        }
    }

    private static Thread hook(String name, RecordRing ring) {
        Runnable wait = IS_NATIVE_IMAGE ? () -> ring.await(LAST_RECORDS) : runnable(await(ring.address()));
        Thread hook = new Thread(null, wait, name, 0, false);
        hook.setContextClassLoader(null);
        return hook;
    }

    private static MethodHandle await(long ring) {
        MethodHandle await = function("docajava_log_await", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
        return MethodHandles.insertArguments(await, 0, ring, LAST_RECORDS);
    }

    /** The equivalent of {@link #loop} in a native image. */
    private static void read(RecordRing ring, IntPredicate handler, Thread hook) {
        MethodHandle next = next(ring.address());
        try {
            boolean continues = true;
            while (continues) {
                continues = handler.test((int) next.invokeExact());
            }
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        } finally {
            ring.close();
            remove(hook);
        }
    }

    private static void remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is about to exit, and the hook is running.
        }
    }

    /** Returns a loop that handles entries while the handler exists and returns true. It allocates nothing once it runs. */
    private static MethodHandle loop(long ring, IntPredicate handler, Thread hook) throws ReflectiveOperationException {
        IntStream entries = IntStream.generate(MethodHandleProxies.asInterfaceInstance(IntSupplier.class, next(ring)));
        IntPredicate each = MethodHandleProxies.asInterfaceInstance(IntPredicate.class, handle(handler));
        MethodHandle all =
                PUBLIC.findVirtual(IntStream.class, "allMatch", methodType(boolean.class, IntPredicate.class));
        return MethodHandles.tryFinally(
                MethodHandles.insertArguments(all, 0, entries, each).asType(methodType(void.class)),
                MethodHandles.dropArguments(end(ring, hook), 0, Throwable.class));
    }

    private static MethodHandle next(long ring) {
        MethodHandle next = function("docajava_log_next", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
        return MethodHandles.insertArguments(next, 0, ring, INTERVAL);
    }

    /** Returns a handle that passes the result of {@code next} to the handler; false if the handler was collected. */
    private static MethodHandle handle(IntPredicate handler) throws ReflectiveOperationException {
        MethodHandle test = PUBLIC.findVirtual(IntPredicate.class, "test", methodType(boolean.class, int.class));
        MethodHandle exists = PUBLIC.findStatic(Objects.class, "nonNull", methodType(boolean.class, Object.class))
                .asType(methodType(boolean.class, IntPredicate.class));
        MethodHandle collected = MethodHandles.dropArguments(
                MethodHandles.constant(boolean.class, false), 0, IntPredicate.class, int.class);
        MethodHandle get = PUBLIC.findVirtual(WeakReference.class, "get", methodType(Object.class))
                .bindTo(new WeakReference<>(handler))
                .asType(methodType(IntPredicate.class));
        return MethodHandles.collectArguments(MethodHandles.guardWithTest(exists, test, collected), 0, get);
    }

    /** Returns a handle that closes the ring and removes the hook, unless the JVM already runs it. */
    private static MethodHandle end(long ring, Thread hook) throws ReflectiveOperationException {
        MethodHandle close = MethodHandles.insertArguments(
                function("docajava_log_close", FunctionDescriptor.ofVoid(JAVA_LONG)), 0, ring);
        MethodHandle remove = PUBLIC.findVirtual(
                        Runtime.class, "removeShutdownHook", methodType(boolean.class, Thread.class))
                .bindTo(Runtime.getRuntime())
                .bindTo(hook)
                .asType(methodType(void.class));
        MethodHandle nothing = MethodHandles.empty(methodType(void.class, IllegalStateException.class));
        return MethodHandles.foldArguments(
                MethodHandles.catchException(remove, IllegalStateException.class, nothing), close);
    }

    private static Runnable runnable(MethodHandle code) {
        return MethodHandleProxies.asInterfaceInstance(Runnable.class, code.asType(methodType(void.class)));
    }

    /** Returns a handle without the counting of {@code Transitions}, which is a class of doca-java. */
    private static MethodHandle function(String name, FunctionDescriptor descriptor) {
        return Linker.nativeLinker().downcallHandle(MemorySegment.ofAddress(HelperLibrary.address(name)), descriptor);
    }
}
