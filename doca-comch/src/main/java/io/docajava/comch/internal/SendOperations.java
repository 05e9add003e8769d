/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch.internal;

import io.docajava.comch.CommLimits;
import io.docajava.comch.DisconnectReason;
import io.docajava.comch.SendEnd;
import io.docajava.core.DocaError;
import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.operation.ArgumentSetters;
import io.docajava.core.internal.operation.BufferRole;
import io.docajava.core.internal.operation.Operation;
import io.docajava.core.internal.operation.OperationSink;
import io.docajava.core.internal.operation.OperationType;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Sends ({@code struct doca_comch_task_send}), with the memory of their messages while these are in flight. The subject is the
 * {@link CommConnectionImpl}, and the first number is the length. The SDK cannot change the message of a task, so each send allocates
 * a native task.
 */
final class SendOperations extends OperationType {

    private static final String PEER_GONE =
            "the peer has gone: it has disconnected or stopped, or its process has ended";

    private final EndpointObject object;
    /** The length of the longest message in bytes. */
    private final long size;

    /** The memory for each operation, by its number; allocated at the first use. */
    private final @Nullable MemorySegment[] memory;

    SendOperations(EndpointObject object, CommLimits limits) {
        super("doca_comch_task_send", BufferRole.NONE, BufferRole.NONE, ArgumentSetters.NONE);
        this.object = object;
        this.size = limits.maxMessageSize();
        memory = new MemorySegment[limits.maxSends()];
    }

    /** Copies the message of the next submission to the memory of the operation. */
    void copy(Operation operation, MemorySegment message) {
        MemorySegment.copy(message, 0, memory(operation), 0, message.byteSize());
        operation.numbers(message.byteSize(), 0);
    }

    private MemorySegment memory(Operation operation) {
        MemorySegment present = memory[operation.number()];
        if (present == null) {
            present = object.allocateMemory(size);
            memory[operation.number()] = present;
        }
        return present;
    }

    private static CommConnectionImpl connection(@Nullable Object subject) {
        return (CommConnectionImpl) Objects.requireNonNull(subject);
    }

    @Override
    protected long check(@Nullable Object subject, @Nullable BufElement local, @Nullable BufElement remote) {
        connection(subject).checkUsable();
        return 0;
    }

    @Override
    protected boolean isReady(@Nullable Object subject) {
        return connection(subject).hasRoom();
    }

    @Override
    protected int allocate(Operation operation, long userData) {
        return object.allocateSend(
                connection(operation.subject()).pointer(), memory(operation), (int) operation.first(), userData);
    }

    @Override
    protected String allocation() {
        return object.prefix() + "_task_send_alloc_init";
    }

    @Override
    protected long allocated() {
        return object.allocated();
    }

    @Override
    protected long asTask(long typed) {
        return typed;
    }

    @Override
    protected long pointer(Object subject) {
        return connection(subject).pointer();
    }

    @Override
    protected boolean isReusable() {
        return false;
    }

    @Override
    protected void started(Operation operation) {
        connection(operation.subject()).markSubmitted();
    }

    @Override
    protected void ended(Operation operation) {
        connection(operation.subject()).markCompleted();
    }

    @Override
    protected long result(Operation operation) {
        return operation.first();
    }

    @Override
    protected long moved(Operation operation) {
        return operation.first();
    }

    @Override
    protected String attempt(Operation operation) {
        return attempt(connection(operation.subject()), operation.first());
    }

    @Override
    protected @Nullable String meaning(Operation operation, int result) {
        return switch (DocaError.of(result)) {
            case CONNECTION_ABORTED, CONNECTION_RESET, NOT_CONNECTED ->
                connection(operation.subject()).endReason() == DisconnectReason.PEER ? PEER_GONE : null;
            default -> null;
        };
    }

    static String attempt(CommConnectionImpl connection, long length) {
        return "sending " + length + " bytes on " + connection;
    }

    /** A sink that passes the ends of sends to their receiver, a handler. */
    static final class Ends implements OperationSink {

        private final SendEndImpl end = new SendEndImpl();

        @Override
        public void succeeded(Operation operation) {
            pass(operation, null);
        }

        @Override
        public void failed(Operation operation, TaskFailedException failure) {
            pass(operation, failure);
        }

        @SuppressWarnings("unchecked") // the receiver of this sink is a handler of sends
        private void pass(Operation operation, @Nullable TaskFailedException failure) {
            end.set(connection(operation.subject()), operation.first());
            ((Handler<? super SendEnd>) operation.receiver()).ended(end, failure);
        }
    }
}
