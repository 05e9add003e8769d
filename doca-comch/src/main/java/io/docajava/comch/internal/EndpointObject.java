/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch.internal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.comch.CommCapabilities;
import io.docajava.comch.CommLimits;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceRepresentor;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.call.CapabilityReader;
import io.docajava.core.internal.device.DeviceImpl;
import io.docajava.core.internal.device.RepresentorImpl;
import io.docajava.core.internal.engine.EngineImpl;
import io.docajava.core.internal.state.ContextBinding;
import io.docajava.ffi.comch.ComchCallbacks;
import io.docajava.ffi.generated.comch.DocaComch;
import io.docajava.ffi.generated.common.DocaCommon;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A {@code struct doca_comch_server} or {@code struct doca_comch_client}: its creation and destruction, its properties, and its
 * tasks. Not thread-safe.
 */
public final class EndpointObject implements ContextBinding {

    /** Shared, because another thread may take over the context of a thread that has ended. */
    private final Arena arena;

    private final MemorySegment out;
    private final MemorySegment userData;
    private final boolean isServer;
    private final String description;
    private final MemorySegment pointer;
    private @Nullable ComchCallbacks callbacks;
    private ComchCallbacks.@Nullable Listener listener;

    /**
     * Creates a server ({@code doca_comch_server_create}), or without a representor a client ({@code doca_comch_client_create}).
     *
     * @param name of the server
     * @param description the name for messages
     */
    EndpointObject(Device device, @Nullable DeviceRepresentor representor, String name, String description) {
        this.isServer = representor != null;
        this.description = description;
        arena = Arena.ofShared();
        try (Arena scratch = Arena.ofConfined()) {
            out = arena.allocate(JAVA_LONG);
            userData = arena.allocate(JAVA_LONG);
            MemorySegment dev = MemorySegment.ofAddress(DeviceImpl.address(device));
            MemorySegment nativeName = scratch.allocateFrom(name);
            Calls.prepare(
                    isServer
                            ? DocaComch.doca_comch_server_destroy$handle()
                            : DocaComch.doca_comch_client_destroy$handle());
            check(
                    representor == null
                            ? DocaComch.doca_comch_client_create(dev, nativeName, out)
                            : DocaComch.doca_comch_server_create(
                                    dev,
                                    MemorySegment.ofAddress(RepresentorImpl.address(representor)),
                                    nativeName,
                                    out),
                    "_create",
                    "creating the " + description);
        } catch (Throwable failure) {
            arena.close();
            throw failure;
        }
        pointer = MemorySegment.ofAddress(out.get(JAVA_LONG, 0));
    }

    /** Returns the {@code struct doca_comch_server *} or {@code struct doca_comch_client *}, which the SDK's log names. */
    long address() {
        return pointer.address();
    }

    /** Returns the prefix of the C functions. */
    String prefix() {
        return isServer ? "doca_comch_server" : "doca_comch_client";
    }

    String description() {
        return description;
    }

    /** Sets the length of the longest message, before the start. */
    void maxMessageSize(int bytes) {
        check(
                isServer
                        ? DocaComch.doca_comch_server_set_max_msg_size(pointer, bytes)
                        : DocaComch.doca_comch_client_set_max_msg_size(pointer, bytes),
                "_set_max_msg_size",
                "setting the size of messages of the " + description + " to " + bytes);
    }

    /** Sets the number of messages that can wait, before the start. */
    void receiveQueueSize(int messages) {
        check(
                isServer
                        ? DocaComch.doca_comch_server_set_recv_queue_size(pointer, messages)
                        : DocaComch.doca_comch_client_set_recv_queue_size(pointer, messages),
                "_set_recv_queue_size",
                "setting the receive queue size of the " + description + " to " + messages);
    }

    /** Returns the limits that were set, or chosen by the SDK, with the given number of sends. */
    CommLimits limits(int maxSends) {
        int result = isServer
                ? DocaComch.doca_comch_server_get_max_msg_size(pointer, out)
                : DocaComch.doca_comch_client_get_max_msg_size(pointer, out);
        long maxMessageSize = property(result, "_get_max_msg_size");
        result = isServer
                ? DocaComch.doca_comch_server_get_recv_queue_size(pointer, out)
                : DocaComch.doca_comch_client_get_recv_queue_size(pointer, out);
        long receiveQueueSize = property(result, "_get_recv_queue_size");
        return new CommLimits(maxMessageSize, receiveQueueSize, maxSends);
    }

    private long property(int result, String function) {
        check(result, function, "reading a property of the " + description);
        return Integer.toUnsignedLong(out.get(JAVA_INT, 0));
    }

    /** Sets the number of sends that can be in flight, and the callbacks for their completions, before the start. */
    void configureSends(EngineImpl engine, int tasks) {
        MemorySegment succeeded = engine.taskSucceeded();
        MemorySegment failed = engine.taskFailed();
        check(
                isServer
                        ? DocaComch.doca_comch_server_task_send_set_conf(pointer, succeeded, failed, tasks)
                        : DocaComch.doca_comch_client_task_send_set_conf(pointer, succeeded, failed, tasks),
                "_task_send_set_conf",
                "giving the " + description + " " + tasks + " tasks to send");
    }

    /**
     * Sets the callbacks for messages and, for a server, connections, before the first start. The SDK reports the connection of a
     * client by the state of the context.
     */
    @Override
    public void starting() {
        if (callbacks != null) {
            return;
        }
        ComchCallbacks created = new ComchCallbacks(Objects.requireNonNull(listener));
        callbacks = created;
        check(
                isServer
                        ? DocaComch.doca_comch_server_event_msg_recv_register(pointer, created.received())
                        : DocaComch.doca_comch_client_event_msg_recv_register(pointer, created.received()),
                "_event_msg_recv_register",
                "setting the message callback of the " + description);
        if (isServer) {
            check(
                    DocaComch.doca_comch_server_event_connection_status_changed_register(
                            pointer, created.connected(), created.disconnected()),
                    "_event_connection_status_changed_register",
                    "setting the connection callbacks of the " + description);
        }
    }

    /** Sets the listener for messages and connections, before the first start. */
    void listen(ComchCallbacks.Listener newListener) {
        listener = newListener;
    }

    /** Allocates a task to send, which {@link #allocated()} returns afterwards; returns a {@code doca_error_t}. */
    int allocateSend(long connection, MemorySegment message, int length, long newUserData) {
        MemorySegment peer = MemorySegment.ofAddress(connection);
        int result = isServer
                ? DocaComch.doca_comch_server_task_send_alloc_init(pointer, peer, message, length, out)
                : DocaComch.doca_comch_client_task_send_alloc_init(pointer, peer, message, length, out);
        if (result == 0) {
            userData.set(JAVA_LONG, 0, newUserData);
            DocaCommon.doca_task_set_user_data(MemorySegment.ofAddress(allocated()), userData);
        }
        return result;
    }

    /** Returns the {@code struct doca_task *} of the task that was allocated last. */
    long allocated() {
        return DocaComch.doca_comch_task_send_as_task(out.get(ADDRESS, 0)).address();
    }

    /** Allocates memory that is freed when the native object is destroyed. */
    MemorySegment allocateMemory(long bytes) {
        return arena.allocate(bytes);
    }

    /** Returns the {@code struct doca_comch_connection *} of a client to the server. */
    long connection(String attempt) {
        check(DocaComch.doca_comch_client_get_connection(pointer, out), "_get_connection", attempt);
        return out.get(JAVA_LONG, 0);
    }

    /** Ends a connection of a server ({@code doca_comch_server_disconnect}). */
    void disconnect(CommConnectionImpl connection) {
        check(
                DocaComch.doca_comch_server_disconnect(pointer, MemorySegment.ofAddress(connection.pointer())),
                "_disconnect",
                "ending " + connection);
    }

    private void check(int result, String function, String attempt) {
        Calls.check(result, prefix() + function, attempt);
    }

    /** {@return false for a client, whose start completes only when the server's process answers} */
    @Override
    public boolean isStartAwaited() {
        return isServer;
    }

    @Override
    public long context() {
        return (isServer ? DocaComch.doca_comch_server_as_ctx(pointer) : DocaComch.doca_comch_client_as_ctx(pointer))
                .address();
    }

    @Override
    public int destroy() {
        int result =
                isServer ? DocaComch.doca_comch_server_destroy(pointer) : DocaComch.doca_comch_client_destroy(pointer);
        if (result == 0) {
            if (callbacks != null) {
                callbacks.close();
            }
            arena.close();
        }
        return result;
    }

    @Override
    public String destroyFunction() {
        return prefix() + "_destroy";
    }

    /** Reads the capabilities of a native {@code doca_devinfo}. */
    public static CommCapabilities capabilities(MemorySegment info, String name) {
        CapabilityReader reader = new CapabilityReader(info, "reading the comm channel capabilities of " + name);
        return new CommCapabilities(
                reader.can("doca_comch_cap_server_is_supported", DocaComch::doca_comch_cap_server_is_supported),
                reader.can("doca_comch_cap_client_is_supported", DocaComch::doca_comch_cap_client_is_supported),
                reader.limit("doca_comch_cap_get_max_msg_size", DocaComch::doca_comch_cap_get_max_msg_size),
                reader.limit(
                        "doca_comch_cap_get_max_recv_queue_size", DocaComch::doca_comch_cap_get_max_recv_queue_size),
                reader.limit("doca_comch_cap_get_max_send_tasks", DocaComch::doca_comch_cap_get_max_send_tasks),
                Math.max(
                        reader.limit("doca_comch_cap_get_max_name_len", DocaComch::doca_comch_cap_get_max_name_len) - 1,
                        0),
                reader.limit("doca_comch_cap_get_max_clients", DocaComch::doca_comch_cap_get_max_clients));
    }
}
