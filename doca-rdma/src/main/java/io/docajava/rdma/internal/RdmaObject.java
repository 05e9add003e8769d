/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.internal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.DocaException;
import io.docajava.core.DocaError;
import io.docajava.core.device.Device;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.device.DeviceImpl;
import io.docajava.core.internal.engine.EngineImpl;
import io.docajava.core.internal.lifecycle.Undo;
import io.docajava.core.internal.log.SafeLog;
import io.docajava.core.internal.state.ContextBinding;
import io.docajava.ffi.DocaLibrary;
import io.docajava.ffi.generated.rdma.DocaRdma;
import io.docajava.ffi.internal.NativeMemory;
import io.docajava.rdma.ConnectionDetails;
import io.docajava.rdma.RdmaAddress;
import io.docajava.rdma.RdmaTaskType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntSupplier;
import java.util.function.ToIntBiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A {@code struct doca_rdma}: its creation and destruction, its properties, its tasks, and its connections, which are native
 * pointers here and must exist. Not thread-safe.
 */
final class RdmaObject implements ContextBinding {

    private static final System.Logger LOG = System.getLogger("io.docajava.rdma");

    /** Shared, because another thread may take over the context of a thread that has ended. */
    private final Arena arena;

    private final MemorySegment out;
    private final MemorySegment userData;
    private final MemorySegment rdma;
    private final String place;
    /** Resources that are closed when the native object is destroyed. */
    private final List<AutoCloseable> parts = new ArrayList<>();

    /** The ports of native listeners; those of an earlier run are in {@link #leftPorts}. */
    private final Set<Integer> ports = new TreeSet<>();
    /**
     * The ports at which the context listened when it stopped by itself. DOCA 3.0 has destroyed these listeners, and would destroy
     * them once more at the next stop, which crashes. To listen at such a port again makes it forget the destroyed listener.
     */
    private final Set<Integer> leftPorts = new TreeSet<>();

    private @Nullable Connections connections;

    /** Creates the object ({@code doca_rdma_create}). */
    RdmaObject(Device device) {
        place = device.info().displayName();
        MemorySegment dev = MemorySegment.ofAddress(DeviceImpl.address(device));
        arena = Arena.ofShared();
        try {
            out = arena.allocate(JAVA_LONG);
            userData = arena.allocate(JAVA_LONG);
            Calls.prepare(DocaRdma.doca_rdma_destroy$handle());
            Calls.check(
                    DocaRdma.doca_rdma_create(dev, out), "doca_rdma_create", "creating an RDMA context on " + place);
        } catch (Throwable failure) {
            arena.close();
            throw failure;
        }
        rdma = MemorySegment.ofAddress(out.get(JAVA_LONG, 0));
    }

    /** Returns the {@code struct doca_rdma *}. */
    MemorySegment pointer() {
        return rdma;
    }

    /** Sets the receiver of connection events and of starts. */
    void attach(Connections newConnections) {
        connections = newConnections;
    }

    /** Adds a resource to be closed when the object is destroyed. */
    void add(AutoCloseable part) {
        parts.add(part);
    }

    /**
     * Checks the result of setting a property.
     *
     * @param function the C name of the setter
     * @param what the property and its value, as messages name them
     */
    void set(int result, String function, String what) {
        Calls.check(result, function, "setting " + what + " of the RDMA context on " + place);
    }

    /** Sets a property to a value, if there is one; the arguments are those of {@link #set(int, String, String)}. */
    void set(OptionalInt value, ToIntBiFunction<MemorySegment, Integer> setter, String function, String what) {
        if (value.isPresent()) {
            set(setter.applyAsInt(rdma, value.getAsInt()), function, what + " to " + value.getAsInt());
        }
    }

    /**
     * Sets a property if the release supports it. Otherwise the SDK's log lines about it are lowered to debugging information. The
     * arguments are those of {@link #set(int, String, String)}.
     */
    void setIfSupported(IntSupplier setter, String function, String what) {
        Calls.probe(() -> {
            int result = setter.getAsInt();
            if (result != DocaError.NOT_SUPPORTED.code()) {
                set(result, function, what);
            }
            return result;
        });
    }

    /** Returns a property of up to 32 bits. */
    long get(ToIntBiFunction<MemorySegment, MemorySegment> getter, String function) {
        out.set(JAVA_LONG, 0, 0);
        Calls.check(getter.applyAsInt(rdma, out), function, "reading a property of the RDMA context on " + place);
        return Integer.toUnsignedLong(out.get(JAVA_INT, 0));
    }

    /**
     * Sets the callbacks and the number of tasks of one type, before the start.
     *
     * @param number of tasks, which the SDK reads as an unsigned 32-bit number
     */
    void configure(RdmaTaskType type, EngineImpl engine, long number) {
        int tasks = (int) number;
        MemorySegment succeeded = engine.taskSucceeded();
        MemorySegment failed = engine.taskFailed();
        int result = switch (type) {
            case SEND -> DocaRdma.doca_rdma_task_send_set_conf(rdma, succeeded, failed, tasks);
            case SEND_IMM -> DocaRdma.doca_rdma_task_send_imm_set_conf(rdma, succeeded, failed, tasks);
            case RECEIVE -> DocaRdma.doca_rdma_task_receive_set_conf(rdma, succeeded, failed, tasks);
            case READ -> DocaRdma.doca_rdma_task_read_set_conf(rdma, succeeded, failed, tasks);
            case WRITE -> DocaRdma.doca_rdma_task_write_set_conf(rdma, succeeded, failed, tasks);
            case WRITE_IMM -> DocaRdma.doca_rdma_task_write_imm_set_conf(rdma, succeeded, failed, tasks);
            case ATOMIC_CMP_SWP -> DocaRdma.doca_rdma_task_atomic_cmp_swp_set_conf(rdma, succeeded, failed, tasks);
            case ATOMIC_FETCH_ADD -> DocaRdma.doca_rdma_task_atomic_fetch_add_set_conf(rdma, succeeded, failed, tasks);
            case EVENT_GET ->
                DocaRdma.doca_rdma_task_remote_net_sync_event_get_set_conf(rdma, succeeded, failed, tasks);
            case EVENT_SET ->
                DocaRdma.doca_rdma_task_remote_net_sync_event_notify_set_set_conf(rdma, succeeded, failed, tasks);
            case EVENT_ADD ->
                DocaRdma.doca_rdma_task_remote_net_sync_event_notify_add_set_conf(rdma, succeeded, failed, tasks);
        };
        Calls.check(
                result,
                NativeTaskType.prefix(type) + "_set_conf",
                "giving the RDMA context on " + place + " " + number + " tasks to " + NativeTaskType.words(type));
    }

    /**
     * Allocates a task, which {@link #allocated()} returns afterwards.
     *
     * @param connection the native connection, or 0 for a receive
     * @param local the buffer of this side, or 0
     * @param remote the buffer of the peer's memory, or its sync event, or 0
     * @param first the immediate data, the expected value of a compare-and-swap, or the addend
     * @param second the replacement of a compare-and-swap
     * @return a {@code doca_error_t}
     */
    int allocate(
            RdmaTaskType type, long connection, long local, long remote, long first, long second, long newUserData) {
        MemorySegment peer = MemorySegment.ofAddress(connection);
        MemorySegment here = MemorySegment.ofAddress(local);
        MemorySegment there = MemorySegment.ofAddress(remote);
        userData.set(JAVA_LONG, 0, newUserData);
        return switch (type) {
            case SEND -> DocaRdma.doca_rdma_task_send_allocate_init(rdma, peer, here, userData, out);
            case SEND_IMM ->
                DocaRdma.doca_rdma_task_send_imm_allocate_init(rdma, peer, here, (int) first, userData, out);
            case RECEIVE -> DocaRdma.doca_rdma_task_receive_allocate_init(rdma, here, userData, out);
            case READ -> DocaRdma.doca_rdma_task_read_allocate_init(rdma, peer, there, here, userData, out);
            case WRITE -> DocaRdma.doca_rdma_task_write_allocate_init(rdma, peer, here, there, userData, out);
            case WRITE_IMM ->
                DocaRdma.doca_rdma_task_write_imm_allocate_init(rdma, peer, here, there, (int) first, userData, out);
            case ATOMIC_CMP_SWP ->
                DocaRdma.doca_rdma_task_atomic_cmp_swp_allocate_init(
                        rdma, peer, there, here, first, second, userData, out);
            case ATOMIC_FETCH_ADD ->
                DocaRdma.doca_rdma_task_atomic_fetch_add_allocate_init(rdma, peer, there, here, first, userData, out);
            case EVENT_GET ->
                DocaRdma.doca_rdma_task_remote_net_sync_event_get_allocate_init(rdma, peer, there, here, userData, out);
            case EVENT_SET ->
                DocaRdma.doca_rdma_task_remote_net_sync_event_notify_set_allocate_init(
                        rdma, peer, there, here, userData, out);
            case EVENT_ADD ->
                DocaRdma.doca_rdma_task_remote_net_sync_event_notify_add_allocate_init(
                        rdma, peer, there, here, first, userData, out);
        };
    }

    /** Returns the task that was allocated last, such as a {@code struct doca_rdma_task_send *}. */
    long allocated() {
        return out.get(JAVA_LONG, 0);
    }

    /** Returns the {@code struct doca_task *} of a task of a type. */
    static long asTask(RdmaTaskType type, long task) {
        MemorySegment typed = MemorySegment.ofAddress(task);
        MemorySegment general = switch (type) {
            case SEND -> DocaRdma.doca_rdma_task_send_as_task(typed);
            case SEND_IMM -> DocaRdma.doca_rdma_task_send_imm_as_task(typed);
            case RECEIVE -> DocaRdma.doca_rdma_task_receive_as_task(typed);
            case READ -> DocaRdma.doca_rdma_task_read_as_task(typed);
            case WRITE -> DocaRdma.doca_rdma_task_write_as_task(typed);
            case WRITE_IMM -> DocaRdma.doca_rdma_task_write_imm_as_task(typed);
            case ATOMIC_CMP_SWP -> DocaRdma.doca_rdma_task_atomic_cmp_swp_as_task(typed);
            case ATOMIC_FETCH_ADD -> DocaRdma.doca_rdma_task_atomic_fetch_add_as_task(typed);
            case EVENT_GET -> DocaRdma.doca_rdma_task_remote_net_sync_event_get_as_task(typed);
            case EVENT_SET -> DocaRdma.doca_rdma_task_remote_net_sync_event_notify_set_as_task(typed);
            case EVENT_ADD -> DocaRdma.doca_rdma_task_remote_net_sync_event_notify_add_as_task(typed);
        };
        return general.address();
    }

    /** A connection, its number, and the details for its peer. */
    record Exported(long connection, int id, ConnectionDetails details) {}

    /**
     * Creates a connection and exports its details ({@code doca_rdma_export}). If they cannot be read, the connection is
     * disconnected. Before DOCA 2.9 that is impossible, and the connection exists until the context stops.
     */
    Exported export() {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment details = scratch.allocate(ADDRESS);
            MemorySegment length = scratch.allocate(JAVA_LONG);
            Calls.check(
                    DocaRdma.doca_rdma_export(rdma, details, length, out),
                    "doca_rdma_export",
                    "preparing a connection of the RDMA context on " + place);
            long created = out.get(JAVA_LONG, 0);
            try {
                byte[] bytes = NativeMemory.ofAddress(details.get(ADDRESS, 0).address(), length.get(JAVA_LONG, 0))
                        .toArray(JAVA_BYTE);
                return new Exported(created, id(created), ConnectionDetails.of(bytes));
            } catch (Throwable failure) {
                Undo.after(failure, () -> disconnect(created));
                throw failure;
            }
        }
    }

    /** Connects to the peer with these details ({@code doca_rdma_connect}). */
    void connect(long connection, ConnectionDetails peer) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment details = scratch.allocateFrom(JAVA_BYTE, peer.bytes());
            Calls.check(
                    DocaRdma.doca_rdma_connect(rdma, details, details.byteSize(), MemorySegment.ofAddress(connection)),
                    "doca_rdma_connect",
                    "connecting the RDMA context on " + place);
        }
    }

    /**
     * Requests a connection at an address ({@code doca_rdma_connect_to_addr}).
     *
     * @param number identifies the connection in events
     * @param attempt describes the attempt in messages
     * @return the native address, to be destroyed when the connection has ended
     */
    long connect(RdmaAddress address, int port, long number, String attempt) {
        try (Arena scratch = Arena.ofConfined()) {
            Calls.check(
                    DocaRdma.doca_rdma_addr_create(
                            NativeCodes.code(address.type()), scratch.allocateFrom(address.text()), (short) port, out),
                    "doca_rdma_addr_create",
                    attempt);
            MemorySegment created = out.get(ADDRESS, 0);
            userData.set(JAVA_LONG, 0, number);
            int result = DocaRdma.doca_rdma_connect_to_addr(rdma, created, userData);
            if (result != 0) {
                DocaException failure = Calls.failure(result, "doca_rdma_connect_to_addr", attempt);
                Undo.after(failure, () -> destroyAddress(created.address()));
                throw failure;
            }
            Calls.discardErrors();
            return created.address();
        }
    }

    /** Destroys a native address that no connection uses any more ({@code doca_rdma_addr_destroy}). */
    void destroyAddress(long address) {
        Calls.check(
                DocaRdma.doca_rdma_addr_destroy(MemorySegment.ofAddress(address)),
                "doca_rdma_addr_destroy",
                "destroying an address of the RDMA context on " + place);
    }

    /** Starts listening ({@code doca_rdma_start_listen_to_port}). */
    void listen(int port) {
        Calls.check(
                DocaRdma.doca_rdma_start_listen_to_port(rdma, (short) port),
                "doca_rdma_start_listen_to_port",
                "listening to port " + port + " on " + place);
        ports.add(port);
        leftPorts.remove(port);
    }

    /** Stops listening ({@code doca_rdma_stop_listen_to_port}). */
    void stopListening(int port) {
        if (!ports.contains(port)) {
            return;
        }
        Calls.check(
                DocaRdma.doca_rdma_stop_listen_to_port(rdma, (short) port),
                "doca_rdma_stop_listen_to_port",
                "stopping to listen to port " + port + " on " + place);
        ports.remove(port);
    }

    /** Sets the number that identifies the connection in events ({@code doca_rdma_connection_set_user_data}). */
    void setUserData(long connection, long number) {
        userData.set(JAVA_LONG, 0, number);
        Calls.check(
                DocaRdma.doca_rdma_connection_set_user_data(MemorySegment.ofAddress(connection), userData),
                "doca_rdma_connection_set_user_data",
                "preparing a connection of the RDMA context on " + place);
    }

    /** Accepts a request ({@code doca_rdma_connection_accept}). */
    void accept(long connection, byte[] privateData) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment data =
                    privateData.length == 0 ? MemorySegment.NULL : scratch.allocateFrom(JAVA_BYTE, privateData);
            Calls.check(
                    DocaRdma.doca_rdma_connection_accept(
                            MemorySegment.ofAddress(connection), data, (byte) privateData.length),
                    "doca_rdma_connection_accept",
                    "accepting a connection to " + place);
        }
    }

    /** Rejects a request ({@code doca_rdma_connection_reject}). */
    void reject(long connection) {
        Calls.check(
                DocaRdma.doca_rdma_connection_reject(MemorySegment.ofAddress(connection)),
                "doca_rdma_connection_reject",
                "rejecting a connection to " + place);
    }

    /** Ends a connection, which must not be used afterwards ({@code doca_rdma_connection_disconnect}). */
    void disconnect(long connection) {
        Calls.check(
                DocaRdma.doca_rdma_connection_disconnect(MemorySegment.ofAddress(connection)),
                "doca_rdma_connection_disconnect",
                "disconnecting a connection of the RDMA context on " + place);
    }

    /** Ends a connection if the SDK can do it; before DOCA 2.9 it cannot. */
    void disconnectQuietly(long connection) {
        if (DocaLibrary.load().has("doca_rdma_connection_disconnect")
                && DocaRdma.doca_rdma_connection_disconnect(MemorySegment.ofAddress(connection)) != 0) {
            Calls.discardErrors();
        }
    }

    /** Returns the number that the SDK has given to a connection ({@code doca_rdma_connection_get_id}). */
    int id(long connection) {
        Calls.check(
                DocaRdma.doca_rdma_connection_get_id(MemorySegment.ofAddress(connection), out),
                "doca_rdma_connection_get_id",
                "reading the number of a connection of the RDMA context on " + place);
        return out.get(JAVA_INT, 0);
    }

    /** Returns whether a connection has an address; DOCA 3.0 takes it from a request when it destroys the connection. */
    boolean hasAddress(long connection) {
        Calls.check(
                DocaRdma.doca_rdma_connection_get_addr(MemorySegment.ofAddress(connection), out),
                "doca_rdma_connection_get_addr",
                "reading the address of a connection of the RDMA context on " + place);
        return out.get(ADDRESS, 0).address() != 0;
    }

    @Override
    public long context() {
        return DocaRdma.doca_rdma_as_ctx(rdma).address();
    }

    @Override
    public void starting() {
        leftPorts.addAll(ports);
        ports.clear();
    }

    @Override
    public void started() {
        Objects.requireNonNull(connections).begin();
        forgetLeftListeners();
    }

    /**
     * Stops to listen: DOCA 3.0 destroys all listeners at each stop, also those that it has destroyed before. A context that has
     * stopped by itself refuses, and keeps its ports.
     */
    @Override
    public void stopping() {
        int refusal = forgetLeftListeners();
        for (int port : List.copyOf(ports)) {
            stopListeningNow(port);
        }
        Calls.discardErrors();
        if (refusal != 0 && refusal != DocaError.BAD_STATE.code()) {
            throw new DocaException(
                    "The RDMA context on " + place + " cannot stop: it listened to port " + leftPorts
                            + " in an earlier run, and another program does now. Let that program stop, and stop the context again");
        }
        Objects.requireNonNull(connections).disconnectBeforeStop();
    }

    /**
     * Lets the SDK forget destroyed listeners of an earlier run, where it can listen to their ports now. Returns 0 if none is left,
     * or the SDK's last error.
     */
    private int forgetLeftListeners() {
        int refusal = 0;
        for (int port : List.copyOf(leftPorts)) {
            int result = DocaRdma.doca_rdma_start_listen_to_port(rdma, (short) port);
            if (result == 0) {
                leftPorts.remove(port);
                stopListeningNow(port);
            } else {
                refusal = result;
            }
        }
        Calls.discardErrors();
        return refusal;
    }

    private void stopListeningNow(int port) {
        if (DocaRdma.doca_rdma_stop_listen_to_port(rdma, (short) port) == 0) {
            ports.remove(port);
        }
    }

    @Override
    public boolean losesEventsWhenArmed() {
        return Objects.requireNonNull(connections).isUsingAddresses();
    }

    /**
     * DOCA 3.0 ends the receives of a context that stops a second time if it progresses with other operations in flight before the
     * tasks of these receives are freed. It loses count by that, and the stop never ends.
     */
    @Override
    public boolean endsRounds() {
        return true;
    }

    @Override
    public void runs() {
        Objects.requireNonNull(connections).contextRuns();
    }

    @Override
    public void event(int number, long object, long newUserData) {
        Objects.requireNonNull(connections).event(number, object, newUserData);
    }

    @Override
    public int destroy() {
        int result = DocaRdma.doca_rdma_destroy(rdma);
        if (result == 0) {
            try {
                closeParts();
            } finally {
                arena.close();
            }
        }
        return result;
    }

    /**
     * Closes all parts. The native object is destroyed and no later call closes them, so each failure is retried once and logged.
     */
    private void closeParts() {
        for (AutoCloseable part : parts) {
            if (!close(part, System.Logger.Level.WARNING)) {
                close(part, System.Logger.Level.ERROR);
            }
        }
        parts.clear();
    }

    private boolean close(AutoCloseable part, System.Logger.Level level) {
        try {
            part.close();
            return true;
        } catch (Throwable thrown) {
            SafeLog.write(
                    thrown,
                    () -> LOG.log(
                            level, "A part of the destroyed RDMA context on " + place + " cannot be closed", thrown));
            return false;
        }
    }

    @Override
    public String destroyFunction() {
        return "doca_rdma_destroy";
    }
}
