/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.internal;

import io.docajava.core.DocaError;
import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.MapState;
import io.docajava.core.internal.memory.MmapImpl;
import io.docajava.core.internal.operation.ArgumentSetters;
import io.docajava.core.internal.operation.BufferRole;
import io.docajava.core.internal.operation.Operation;
import io.docajava.core.internal.operation.OperationSink;
import io.docajava.core.internal.operation.OperationType;
import io.docajava.core.memory.MapRange;
import io.docajava.core.progress.Completion;
import io.docajava.ffi.hot.RdmaCalls;
import io.docajava.rdma.RdmaTaskType;
import io.docajava.rdma.ReceiveEnd;
import io.docajava.rdma.Received;
import io.docajava.rdma.ReceivedKind;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Receives ({@code struct doca_rdma_task_receive}) into the local buffer. */
final class ReceiveOperations extends OperationType {

    private static final ReceivedKind[] KINDS = ReceivedKind.values();

    private final ConnectionTable connections;
    private final RdmaObject rdma;
    private final OperationCheck check;

    /** The properties of the last message of each receive, by the number of the operation. */
    private final Message[] messages;

    private static final class Message {
        private int opcode;
        private int immediate;
        private long origin;
        private @Nullable RdmaConnectionImpl connection;
    }

    ReceiveOperations(ConnectionTable connections, RdmaObject rdma, OperationCheck check, int size) {
        super(
                "doca_rdma_task_receive",
                BufferRole.DESTINATION,
                BufferRole.NONE,
                new ArgumentSetters(0, RdmaCalls.setter("doca_rdma_task_receive_set_dst_buf"), 0, 0, 0));
        this.connections = connections;
        this.rdma = rdma;
        this.check = check;
        messages = new Message[size];
        Arrays.setAll(messages, number -> new Message());
    }

    private Message message(Operation operation) {
        return messages[operation.number()];
    }

    /** Returns the kind of the peer's operation, for a receive that has succeeded. */
    ReceivedKind kind(Operation operation) {
        return kind(message(operation).opcode);
    }

    /** Returns the immediate data of a receive that has succeeded; 0 if it has none. */
    int immediate(Operation operation) {
        return message(operation).immediate;
    }

    RdmaConnectionImpl connection(Operation operation) {
        return Objects.requireNonNull(message(operation).connection);
    }

    @Override
    protected long check(@Nullable Object subject, @Nullable BufElement local, @Nullable BufElement remote) {
        check.checkReceive(local);
        return 0;
    }

    @Override
    protected boolean isFilledByPeer() {
        return true;
    }

    @Override
    protected void checkMaps(@Nullable MapState source, @Nullable MapState destination) {
        check.checkMaps(RdmaTaskType.RECEIVE, source, destination);
    }

    @Override
    protected int allocate(Operation operation, long userData) {
        return rdma.allocate(RdmaTaskType.RECEIVE, 0, operation.localPointer(), 0, 0, 0, userData);
    }

    @Override
    protected String allocation() {
        return "doca_rdma_task_receive_allocate_init";
    }

    @Override
    protected long allocated() {
        return rdma.allocated();
    }

    @Override
    protected long asTask(long typed) {
        return RdmaObject.asTask(RdmaTaskType.RECEIVE, typed);
    }

    @Override
    protected long result(Operation operation) {
        long receive = operation.typed();
        Message message = message(operation);
        int opcode = RdmaCalls.receivedOpcode(receive);
        message.opcode = opcode;
        message.immediate = opcode == 0 ? 0 : RdmaCalls.receivedImmediate(receive);
        message.origin = RdmaCalls.receivedConnection(receive);
        return Integer.toUnsignedLong(RdmaCalls.receivedLength(receive));
    }

    @Override
    protected boolean isOpenEnded() {
        return true;
    }

    @Override
    protected long growth(Operation operation) {
        return kind(operation) == ReceivedKind.WRITE_IMMEDIATE ? 0 : operation.result();
    }

    @Override
    protected @Nullable TaskFailedException hiddenFailure(Operation operation) {
        Message message = message(operation);
        if (!isKnown(message.opcode)) {
            return unexpected(operation, "a message has the unknown opcode " + message.opcode);
        }
        RdmaConnectionImpl connection = connections.get(message.origin);
        if (connection == null) {
            return unexpected(
                    operation, "a message came by an unknown connection (0x" + Long.toHexString(message.origin) + ")");
        }
        if (!connection.equals(message.connection)) {
            message.connection = connection;
        }
        return null;
    }

    private TaskFailedException unexpected(Operation operation, String reason) {
        int code = DocaError.UNEXPECTED.code();
        return new TaskFailedException(
                Calls.message(code, function(), attempt(operation), List.of(reason)),
                code,
                function(),
                TaskFailedException.Reason.ROOT_CAUSE);
    }

    @Override
    protected String attempt(Operation operation) {
        if (operation.isOnRanges()) {
            return "receiving up to " + operation.bytes() + " bytes to "
                    + Objects.requireNonNull(operation.destinationMap()).place(operation.destinationAddress());
        }
        BufElement into = operation.localList();
        return into == null
                ? "receiving without a buffer"
                : "receiving up to " + into.listTailLength() + " bytes to " + into.place(into.tail());
    }

    /** The sink of operations whose receiver is a handler. */
    final OperationSink handlers = new OperationSink() {
        private final ReceiveEndImpl end = new ReceiveEndImpl();

        @Override
        public void succeeded(Operation operation) {
            end.set(operation, operation.result(), kind(operation), immediate(operation), connection(operation));
            handler(operation).ended(end, null);
        }

        @Override
        public void failed(Operation operation, TaskFailedException failure) {
            end.set(operation, 0, null, 0, null);
            handler(operation).ended(end, failure);
        }

        @SuppressWarnings("unchecked") // the receiver of this sink is a handler of receives
        private static Handler<? super ReceiveEnd> handler(Operation operation) {
            return (Handler<? super ReceiveEnd>) operation.receiver();
        }
    };

    /** The sink of operations whose receiver is a {@code Completion<Received>}. */
    final OperationSink futures = new OperationSink() {
        private final Function<Operation, Received> message = this::received;

        @Override
        @SuppressWarnings("unchecked") // the receiver of this sink is a Completion<Received>
        public void succeeded(Operation operation) {
            ((Completion<Received>) operation.receiver()).complete(operation.create(message));
        }

        private static Optional<MapRange> message(Operation operation, ReceivedKind kind) {
            MapState map = operation.destinationMap();
            return operation.isOnRanges() && map != null && kind != ReceivedKind.WRITE_IMMEDIATE
                    ? Optional.of(MmapImpl.range(map, operation.destinationAddress(), operation.result()))
                    : Optional.empty();
        }

        private Received received(Operation operation) {
            ReceivedKind kind = kind(operation);
            return new Received(
                    Optional.ofNullable(operation.local()),
                    message(operation, kind),
                    operation.result(),
                    kind,
                    kind.hasImmediate() ? OptionalInt.of(immediate(operation)) : OptionalInt.empty(),
                    connection(operation));
        }

        @Override
        public void failed(Operation operation, TaskFailedException failure) {
            ((Completion<?>) operation.receiver()).completeExceptionally(failure);
        }
    };

    /** Returns whether a value of the C enumeration has a kind. */
    private static boolean isKnown(int code) {
        return code >= 0 && code < KINDS.length;
    }

    /** Returns the kind for a value of the C enumeration, which has the same order. */
    private static ReceivedKind kind(int code) {
        if (!isKnown(code)) {
            throw new IllegalStateException("Not an opcode of a DOCA receive: " + code);
        }
        return KINDS[code];
    }
}
