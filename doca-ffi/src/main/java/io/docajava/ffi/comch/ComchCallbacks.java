/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.comch;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.ffi.internal.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * The callbacks of one server or client of a comm channel, as C functions that call a {@link Listener} immediately. Unlike
 * completions of tasks they cannot be recorded for later: a message, or a connection that is about to end, exists only during
 * the callback.
 *
 * <p>They run on the thread that progresses, starts or stops the server or client.
 */
public final class ComchCallbacks implements AutoCloseable {

    /**
     * Receives the callbacks. Native code is on the stack, so the methods must call neither DOCA nor code of users. Their
     * exceptions are passed to {@link #failed}.
     */
    public interface Listener {

        /**
         * {@code doca_comch_event_connection_status_changed_cb_t} for new connections; not successful if the connection could not
         * be established.
         */
        void connected(long connection, boolean successful);

        /** The same for connections that end. The native connection may be freed when this has returned. */
        void disconnected(long connection, boolean successful);

        /** {@code doca_comch_event_msg_recv_cb_t}, with a copy of the message. */
        void received(long connection, byte[] message);

        /** Called when another method has thrown, or a message could not be copied. */
        void failed(Throwable failure);
    }

    /** Shared, because another thread may take over the contexts of a thread that has ended. */
    private final Arena stubs;

    private final Listener listener;
    private final MemorySegment connected;
    private final MemorySegment disconnected;
    private final MemorySegment received;

    /** A failure that did not reach the listener, and will be passed on with the next callback. */
    private @Nullable Throwable undelivered;

    /** Creates the C functions. */
    public ComchCallbacks(Listener listener) {
        this.listener = listener;
        stubs = Arena.ofShared();
        try {
            connected = stub(Upcalls.CONNECTED, JAVA_LONG, JAVA_LONG, JAVA_BYTE);
            disconnected = stub(Upcalls.DISCONNECTED, JAVA_LONG, JAVA_LONG, JAVA_BYTE);
            received = stub(Upcalls.RECEIVED, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);
        } catch (Throwable failure) {
            stubs.close();
            throw failure;
        }
    }

    private MemorySegment stub(MethodHandle target, MemoryLayout... parameters) {
        return Linker.nativeLinker().upcallStub(target.bindTo(this), FunctionDescriptor.ofVoid(parameters), stubs);
    }

    /** The callback for new connections. */
    public MemorySegment connected() {
        return connected;
    }

    /** The callback for connections that end. */
    public MemorySegment disconnected() {
        return disconnected;
    }

    /** The callback for messages. */
    public MemorySegment received() {
        return received;
    }

    /** Frees the functions. The server or client that has them must be destroyed before. */
    @Override
    public void close() {
        stubs.close();
    }

    void connected(long event, long connection, byte successful) {
        try {
            deliverPending();
            listener.connected(connection, successful != 0);
        } catch (Throwable failure) {
            failed(failure);
        }
    }

    void disconnected(long event, long connection, byte successful) {
        try {
            deliverPending();
            listener.disconnected(connection, successful != 0);
        } catch (Throwable failure) {
            failed(failure);
        }
    }

    void received(long event, long bytes, int length, long connection) {
        try {
            deliverPending();
            byte[] message = NativeMemory.ofAddress(bytes, Integer.toUnsignedLong(length))
                    .toArray(JAVA_BYTE);
            listener.received(connection, message);
        } catch (Throwable failure) {
            failed(failure);
        }
    }

    /** Catches everything, also an OutOfMemoryError: an exception that leaves an upcall terminates the process. */
    private void failed(Throwable failure) {
        try {
            listener.failed(failure);
        } catch (Throwable second) {
            undelivered = failure;
        }
    }

    private void deliverPending() {
        Throwable failure = undelivered;
        if (failure != null) {
            undelivered = null;
            failed(failure);
        }
    }

    private static final class Upcalls {

        static final MethodHandle CONNECTED = own("connected", long.class, long.class, byte.class);
        static final MethodHandle DISCONNECTED = own("disconnected", long.class, long.class, byte.class);
        static final MethodHandle RECEIVED = own("received", long.class, long.class, int.class, long.class);

        private static MethodHandle own(String method, Class<?>... parameters) {
            try {
                return MethodHandles.lookup()
                        .findVirtual(ComchCallbacks.class, method, MethodType.methodType(void.class, parameters));
            } catch (ReflectiveOperationException e) {
                throw new LinkageError("ComchCallbacks lacks " + method, e);
            }
        }
    }
}
