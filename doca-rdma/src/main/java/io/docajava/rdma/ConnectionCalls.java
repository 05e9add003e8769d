/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.docajava.DocaException;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.lifecycle.Undo;
import io.docajava.ffi.generated.rdma.DocaRdma;
import io.docajava.ffi.internal.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.OptionalInt;

/** Calls the C functions on connections of a {@code struct doca_rdma}. Connections are native pointers here, and must exist. */
final class ConnectionCalls {

    private final MemorySegment rdma;
    private final String place;

    ConnectionCalls(RdmaObject object) {
        rdma = object.pointer();
        place = object.place();
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
            MemorySegment connection = scratch.allocate(ADDRESS);
            Calls.check(
                    DocaRdma.doca_rdma_export(rdma, details, length, connection),
                    "doca_rdma_export",
                    "preparing a connection of the RDMA context on " + place);
            long created = connection.get(ADDRESS, 0).address();
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
     * @param userData identifies the connection in events
     * @param attempt describes the attempt in messages
     */
    Requested connect(RdmaAddress address, int port, long userData, String attempt) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment out = scratch.allocate(ADDRESS);
            Calls.check(
                    DocaRdma.doca_rdma_addr_create(
                            address.type().code(), scratch.allocateFrom(address.text()), (short) port, out),
                    "doca_rdma_addr_create",
                    attempt);
            MemorySegment created = out.get(ADDRESS, 0);
            MemorySegment data = scratch.allocate(JAVA_LONG);
            data.set(JAVA_LONG, 0, userData);
            int result = DocaRdma.doca_rdma_connect_to_addr(rdma, created, data);
            if (result != 0) {
                DocaException failure = Calls.failure(result, "doca_rdma_connect_to_addr", attempt);
                Undo.after(failure, () -> destroyAddress(created.address()));
                throw failure;
            }
            return new Requested(created.address(), Calls.reasons());
        }
    }

    /**
     * A requested connection.
     *
     * @param address the native address, to be destroyed when the connection has ended
     * @param reasons the errors that the SDK has logged although the call succeeded
     */
    record Requested(long address, List<String> reasons) {}

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
    }

    /** Stops listening ({@code doca_rdma_stop_listen_to_port}). */
    void stopListening(int port) {
        Calls.check(
                DocaRdma.doca_rdma_stop_listen_to_port(rdma, (short) port),
                "doca_rdma_stop_listen_to_port",
                "stopping to listen to port " + port + " on " + place);
    }

    /** Returns the port of a request ({@code doca_rdma_connection_get_addr}); empty if the SDK does not report it. */
    OptionalInt port(long connection) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment out = scratch.allocate(ADDRESS);
            MemorySegment port = scratch.allocate(JAVA_SHORT);
            int result = DocaRdma.doca_rdma_connection_get_addr(MemorySegment.ofAddress(connection), out);
            if (result == 0) {
                result = DocaRdma.doca_rdma_addr_get_params(
                        out.get(ADDRESS, 0), scratch.allocate(JAVA_INT), scratch.allocate(ADDRESS), port);
            }
            Calls.settle();
            return result == 0 ? OptionalInt.of(Short.toUnsignedInt(port.get(JAVA_SHORT, 0))) : OptionalInt.empty();
        }
    }

    /** Sets the number that identifies the connection in events ({@code doca_rdma_connection_set_user_data}). */
    void setUserData(long connection, long userData) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment data = scratch.allocate(JAVA_LONG);
            data.set(JAVA_LONG, 0, userData);
            Calls.check(
                    DocaRdma.doca_rdma_connection_set_user_data(MemorySegment.ofAddress(connection), data),
                    "doca_rdma_connection_set_user_data",
                    "preparing a connection of the RDMA context on " + place);
        }
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

    /** Returns the number that the SDK has given to a connection ({@code doca_rdma_connection_get_id}). */
    int id(long connection) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment out = scratch.allocate(JAVA_INT);
            Calls.check(
                    DocaRdma.doca_rdma_connection_get_id(MemorySegment.ofAddress(connection), out),
                    "doca_rdma_connection_get_id",
                    "reading the number of a connection of the RDMA context on " + place);
            return out.get(JAVA_INT, 0);
        }
    }
}
