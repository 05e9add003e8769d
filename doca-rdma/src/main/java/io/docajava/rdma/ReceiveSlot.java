/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.DocaError;
import io.docajava.core.DocaException;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.internal.Handles;
import io.docajava.core.internal.context.ContextCore;
import io.docajava.core.internal.context.TaskSlot;
import io.docajava.core.internal.context.TaskTable;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.memory.Buf;
import io.docajava.ffi.hot.RdmaCalls;
import io.docajava.ffi.submission.TaskCommands;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A task to receive, as {@link OperationSlot} is one to do something on a connection. */
@SuppressWarnings("ReferenceEquality") // references are stored only when they change, whatever they think of equality
final class ReceiveSlot extends TaskSlot {

    private final RdmaContext context;
    private final RdmaObject rdma;
    private final OperationCheck check;
    private final TaskTable<ReceiveSlot> table;
    private final long bufferSetter;

    /** The {@code struct doca_rdma_task_receive *}, and the buffer that it was told last. */
    private long receive;

    private boolean isArmed;
    private @Nullable BufElement armedBuffer;
    private int armedIncarnation;

    private @Nullable Buf buffer;
    private @Nullable BufElement target;
    private @Nullable ReceiveHandler handler;
    private boolean kept;

    /** What the native task said when the message had come. */
    private long length;

    private int opcode;
    private int immediate;
    private long connection;

    ReceiveSlot(
            int index,
            TaskTable<ReceiveSlot> table,
            RdmaContext context,
            RdmaObject rdma,
            OperationCheck check,
            long bufferSetter) {
        super(index);
        this.table = table;
        this.context = context;
        this.rdma = rdma;
        this.check = check;
        this.bufferSetter = bufferSetter;
    }

    /** Keeps the slot out of the table after its completions, for a task that is submitted again. */
    void keep() {
        kept = true;
    }

    /** Puts a kept slot back. */
    void giveBack() {
        kept = false;
        handler = null;
        table.put(this);
    }

    /**
     * Posts a receive. When this throws, nothing is in flight, and a slot that is not kept is back in the table.
     *
     * @param newBuffer whose room takes the message, or null
     * @throws IllegalArgumentException if the buffer is not right
     * @throws IllegalStateException if the buffer cannot be used, or the context has stopped
     * @throws DocaException if the SDK refuses the task
     */
    void submit(@Nullable Buf newBuffer, ReceiveHandler newHandler) {
        boolean isChecked = false;
        ContextCore core = context.core();
        try {
            BufElement newTarget = newBuffer == null ? null : Handles.list(newBuffer);
            check.checkReceive(newTarget);
            remember(newBuffer, newTarget, newHandler);
            isChecked = true;
            boolean batched = context.isBatched();
            TaskCommands commands = core.prepare(this, batched);
            arm(core, commands);
            if (newTarget != null) {
                core.tellTarget(newTarget, this);
            }
            if (batched) {
                core.submitInBatch(this);
            } else {
                core.submit(this);
            }
            if (newTarget != null) {
                newTarget.acquireAsTarget();
            }
        } catch (Throwable failure) {
            if (isChecked) {
                core.drop();
                refused();
            }
            letGo();
            throw failure;
        }
    }

    private void remember(@Nullable Buf newBuffer, @Nullable BufElement newTarget, ReceiveHandler newHandler) {
        if (newBuffer != buffer) {
            buffer = newBuffer;
        }
        if (newTarget != target) {
            target = newTarget;
        }
        if (newHandler != handler) {
            handler = newHandler;
        }
    }

    private void arm(ContextCore core, TaskCommands commands) {
        BufElement into = target;
        long pointer = into == null ? 0 : into.pointer();
        int incarnation = into == null ? 0 : into.incarnation();
        if (task() == 0) {
            int outcome = rdma.allocateReceive(pointer, nextUserData());
            if (outcome != DocaError.SUCCESS.code()) {
                throw core.refused(outcome, "doca_rdma_task_receive_allocate_init", this);
            }
            receive = rdma.allocated();
            adopt(RdmaObject.asTask(RdmaTaskType.RECEIVE, receive));
        } else if (!isArmed || into != armedBuffer || incarnation != armedIncarnation) {
            commands.setPointer(bufferSetter, receive, pointer);
        }
        isArmed = true;
        if (into != armedBuffer) {
            armedBuffer = into;
        }
        armedIncarnation = incarnation;
    }

    private void release() {
        if (target != null) {
            target.releaseAsTarget();
        }
        letGo();
    }

    private void letGo() {
        if (!kept) {
            table.put(this);
        }
    }

    @Override
    protected void refused() {
        isArmed = false;
        if (target != null) {
            target.markListStale();
        }
    }

    @Override
    protected void collect() {
        length = Integer.toUnsignedLong(RdmaCalls.receivedLength(receive));
        opcode = RdmaCalls.receivedOpcode(receive);
        immediate = opcode == 0 ? 0 : RdmaCalls.receivedImmediate(receive);
        connection = RdmaCalls.receivedConnection(receive);
    }

    @Override
    protected void succeeded() {
        Buf filled = buffer;
        ReceiveHandler told = Objects.requireNonNull(handler);
        ReceivedKind kind = ReceivedKind.of(opcode);
        RdmaConnection by = context.allConnections().of(connection);
        if (by == null) {
            failed(Failures.ofNobody(function(), attempt(), connection));
            return;
        }
        if (target != null && kind != ReceivedKind.WRITE_IMMEDIATE) {
            target.grow(length);
        }
        long bytes = length;
        int number = immediate;
        release();
        told.received(filled, bytes, kind, number, by);
    }

    @Override
    protected void failed(TaskFailedException failure) {
        Buf unfilled = buffer;
        ReceiveHandler told = Objects.requireNonNull(handler);
        if (target != null) {
            target.markListStale();
        }
        release();
        told.failed(unfilled, failure);
    }

    @Override
    protected void abandoned(RuntimeException reason) {
        ReceiveHandler told = Objects.requireNonNull(handler);
        handler = Nobody.INSTANCE;
        told.failed(buffer, Failures.abandoned(function(), attempt(), reason));
    }

    @Override
    protected String function() {
        return "doca_rdma_task_receive";
    }

    @Override
    protected String attempt() {
        BufElement into = target;
        return into == null
                ? "receiving without a buffer"
                : "receiving up to " + into.listTailLength() + " bytes to "
                        + (into.tail() - into.map().base()) + " of " + into.map();
    }

    /** Told of the end of a receive that was given up, when it comes after all. */
    private enum Nobody implements ReceiveHandler {
        INSTANCE;

        @Override
        public void received(
                @Nullable Buf buffer, long length, ReceivedKind kind, int immediate, RdmaConnection connection) {}

        @Override
        public void failed(@Nullable Buf buffer, TaskFailedException failure) {}
    }
}
