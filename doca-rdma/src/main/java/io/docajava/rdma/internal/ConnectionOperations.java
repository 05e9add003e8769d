/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.internal;

import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.MapState;
import io.docajava.core.internal.operation.ArgumentSetters;
import io.docajava.core.internal.operation.BufferRole;
import io.docajava.core.internal.operation.Operation;
import io.docajava.core.internal.operation.OperationSink;
import io.docajava.core.internal.operation.OperationType;
import io.docajava.core.internal.operation.RemoteEvent;
import io.docajava.ffi.hot.RdmaCalls;
import io.docajava.ffi.submission.TaskCommands;
import io.docajava.rdma.OperationEnd;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaTaskType;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Operations of one type on connections, such as {@code struct doca_rdma_task_write}. The subject is the {@link RdmaConnection}.
 * The first number is the immediate data, the expected value of a compare-and-swap, the addend, or the new value of an event; the
 * second number is the replacement of a compare-and-swap.
 */
final class ConnectionOperations extends OperationType {

    private final RdmaTaskType type;
    private final RdmaObject rdma;
    private final OperationCheck check;
    /** The local numbers of atomic and sync event operations; null for other types. */
    private final @Nullable AtomicResultBuffers cells;

    ConnectionOperations(
            RdmaTaskType type, RdmaObject rdma, OperationCheck check, @Nullable AtomicResultBuffers cells) {
        super(NativeTaskType.prefix(type), localRole(type), remoteRole(type), setters(type));
        this.type = type;
        this.rdma = rdma;
        this.check = check;
        this.cells = cells;
    }

    private static BufferRole localRole(RdmaTaskType type) {
        return switch (type) {
            case SEND, SEND_IMM, WRITE, WRITE_IMM -> BufferRole.SOURCE;
            case READ, RECEIVE -> BufferRole.DESTINATION;
            case ATOMIC_CMP_SWP, ATOMIC_FETCH_ADD, EVENT_GET, EVENT_SET, EVENT_ADD -> BufferRole.NONE;
        };
    }

    private static BufferRole remoteRole(RdmaTaskType type) {
        return switch (type) {
            case WRITE, WRITE_IMM -> BufferRole.REMOTE_DESTINATION;
            case READ, ATOMIC_CMP_SWP, ATOMIC_FETCH_ADD -> BufferRole.SOURCE;
            case SEND, SEND_IMM, RECEIVE, EVENT_GET, EVENT_SET, EVENT_ADD -> BufferRole.NONE;
        };
    }

    private static ArgumentSetters setters(RdmaTaskType type) {
        String setter = NativeTaskType.prefix(type) + "_set_";
        return new ArgumentSetters(
                RdmaCalls.setter(setter + "rdma_connection"),
                switch (type) {
                    case SEND, SEND_IMM, WRITE, WRITE_IMM -> RdmaCalls.setter(setter + "src_buf");
                    case READ -> RdmaCalls.setter(setter + "dst_buf");
                    default -> 0;
                },
                switch (type) {
                    case READ -> RdmaCalls.setter(setter + "src_buf");
                    case WRITE, WRITE_IMM, ATOMIC_CMP_SWP, ATOMIC_FETCH_ADD -> RdmaCalls.setter(setter + "dst_buf");
                    case EVENT_GET, EVENT_SET, EVENT_ADD -> RdmaCalls.setter(setter + "sync_event");
                    default -> 0;
                },
                switch (type) {
                    case SEND_IMM, WRITE_IMM -> RdmaCalls.setter(setter + "immediate_data");
                    case ATOMIC_CMP_SWP -> RdmaCalls.setter(setter + "cmp_data");
                    case ATOMIC_FETCH_ADD, EVENT_ADD -> RdmaCalls.setter(setter + "add_data");
                    default -> 0;
                },
                type == RdmaTaskType.ATOMIC_CMP_SWP ? RdmaCalls.setter(setter + "swap_data") : 0);
    }

    private static RdmaConnectionImpl connection(@Nullable Object subject) {
        return (RdmaConnectionImpl) Objects.requireNonNull(subject);
    }

    @Override
    protected long check(@Nullable Object subject, @Nullable BufElement local, @Nullable BufElement remote) {
        connection(subject).checkUsable();
        return check.check(type, local, remote);
    }

    @Override
    protected long checkInGraph(@Nullable Object subject, @Nullable BufElement local, @Nullable BufElement remote) {
        connection(subject).checkUsable();
        return check.checkInGraph(type, local, remote);
    }

    @Override
    protected void checkSubject(@Nullable Object subject) {
        connection(subject).checkUsable();
    }

    @Override
    protected void checkMaps(@Nullable MapState source, @Nullable MapState destination) {
        check.checkMaps(type, source, destination);
    }

    @Override
    protected void checkEvent(RemoteEvent event) {
        check.checkEvent(event);
    }

    @Override
    protected int allocate(Operation operation, long userData) {
        return rdma.allocate(
                type,
                connection(operation.subject()).pointer(),
                operation.localPointer(),
                operation.remotePointer(),
                operation.first(),
                operation.second(),
                userData);
    }

    @Override
    protected String allocation() {
        return NativeTaskType.prefix(type) + "_allocate_init";
    }

    @Override
    protected long allocated() {
        return rdma.allocated();
    }

    @Override
    protected long asTask(long typed) {
        return RdmaObject.asTask(type, typed);
    }

    @Override
    protected long pointer(Object subject) {
        return connection(subject).pointer();
    }

    @Override
    protected @Nullable BufElement resultBuffer(int number) {
        return cells == null ? null : cells.buffer(number);
    }

    /** Empties the data segment of the resultBuffer, because the SDK appends the result to it. */
    @Override
    protected void prepareResultBuffer(Operation operation, TaskCommands commands) {
        AtomicResultBuffers numbers = Objects.requireNonNull(cells);
        BufElement buffer = numbers.buffer(operation.number());
        long length = 0;
        if (type == RdmaTaskType.EVENT_SET) {
            numbers.set(operation.number(), operation.first());
            length = Long.BYTES;
        }
        commands.setData(buffer.pointer(), buffer.head(), length);
    }

    @Override
    protected long result(Operation operation) {
        return switch (type) {
            case READ -> Integer.toUnsignedLong(RdmaCalls.readLength(operation.typed()));
            case ATOMIC_CMP_SWP, ATOMIC_FETCH_ADD, EVENT_GET, EVENT_ADD ->
                Objects.requireNonNull(cells).value(operation.number());
            case EVENT_SET -> operation.first();
            default -> operation.bytes();
        };
    }

    @Override
    protected void lent(Operation operation) {
        connection(operation.subject()).addGraphTask();
    }

    @Override
    protected void takenBack(Operation operation) {
        connection(operation.subject()).removeGraphTask();
    }

    @Override
    protected String attempt(Operation operation) {
        RemoteEvent event = operation.event();
        long bytes = operation.bytes();
        String peer = " on " + operation.subject();
        return switch (type) {
            case SEND, SEND_IMM ->
                "sending " + bytes + " bytes" + source(" from ", operation, operation.localList()) + peer;
            case WRITE, WRITE_IMM ->
                "writing " + bytes + " bytes" + source(" from ", operation, operation.localList())
                        + destination(" to ", operation, operation.remoteList()) + peer;
            case READ ->
                "reading " + bytes + " bytes" + source(" from ", operation, operation.remoteList())
                        + destination(" to ", operation, operation.localList()) + peer;
            case ATOMIC_CMP_SWP ->
                "comparing and swapping 8 bytes" + source(" at ", operation, operation.remoteList()) + peer;
            case ATOMIC_FETCH_ADD -> "adding to 8 bytes" + source(" at ", operation, operation.remoteList()) + peer;
            case EVENT_GET -> "reading " + event + peer;
            case EVENT_SET -> "setting " + event + " to " + Long.toUnsignedString(operation.first()) + peer;
            case EVENT_ADD -> "adding " + operation.first() + " to " + event + peer;
            case RECEIVE -> throw new AssertionError("A receive is on no connection");
        };
    }

    private static String source(String preposition, Operation operation, @Nullable BufElement list) {
        if (operation.isOnRanges()) {
            return place(preposition, operation.sourceMap(), operation.sourceAddress());
        }
        return list == null ? "" : preposition + list.place(list.data());
    }

    private static String destination(String preposition, Operation operation, @Nullable BufElement list) {
        if (operation.isOnRanges()) {
            return place(preposition, operation.destinationMap(), operation.destinationAddress());
        }
        return list == null ? "" : preposition + list.place(list.tail());
    }

    private static String place(String preposition, @Nullable MapState map, long address) {
        return map == null ? "" : preposition + map.place(address);
    }

    /** A sink that passes the ends of operations to their receiver, a handler. */
    static final class Ends implements OperationSink {

        private final OperationEndImpl end = new OperationEndImpl();

        @Override
        public void succeeded(Operation operation) {
            pass(operation, operation.result(), null);
        }

        @Override
        public void failed(Operation operation, TaskFailedException failure) {
            pass(operation, 0, failure);
        }

        @SuppressWarnings("unchecked") // the receiver of this sink is a handler of operations
        private void pass(Operation operation, long result, @Nullable TaskFailedException failure) {
            end.set(
                    connection(operation.subject()),
                    ((ConnectionOperations) operation.pool().type()).type,
                    operation,
                    result);
            ((Handler<? super OperationEnd>) operation.receiver()).ended(end, failure);
        }
    }
}
