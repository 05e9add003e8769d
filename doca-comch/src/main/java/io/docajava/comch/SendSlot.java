/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.core.DocaError;
import io.docajava.core.DocaException;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.context.ContextCore;
import io.docajava.core.internal.context.TaskSlot;
import io.docajava.core.internal.context.TaskTable;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A task to send messages, and the memory that a message is in while it is in flight. The SDK has no function to give a task
 * another message, so each send is a new native task.
 */
final class SendSlot extends TaskSlot {

    private final TaskTable<SendSlot> table;
    private final EndpointObject object;
    private final long size;

    /** Allocated at the first use: there may be many slots that are never used. */
    private @Nullable MemorySegment memory;

    private @Nullable CommConnection connection;
    private long length;
    private SendHandler handler = Nobody.INSTANCE;

    /**
     * Makes a slot.
     *
     * @param size of the longest message
     */
    SendSlot(int index, TaskTable<SendSlot> table, EndpointObject object, long size) {
        super(index);
        this.table = table;
        this.object = object;
        this.size = size;
    }

    /**
     * Sends a message, whose bytes are copied. If not, nothing is in flight, and the slot is back in the table.
     *
     * @param message no longer than the longest one
     * @return false if the peer has no room, which the end of other sends to it will make
     * @throws IllegalStateException if the context has stopped
     * @throws DocaException if the SDK refuses the task
     */
    boolean submit(ContextCore core, CommConnection newConnection, MemorySegment message, SendHandler newHandler) {
        try {
            connection = newConnection;
            length = message.byteSize();
            MemorySegment target = memory();
            MemorySegment.copy(message, 0, target, 0, length);
            int result = object.allocateSend(newConnection.pointer(), target, (int) length);
            if (result != DocaError.SUCCESS.code()) {
                throw core.refused(result, object.prefix() + "_task_send_alloc_init", this);
            }
            adopt(object.allocated());
            object.setUserData(task(), userData());
            return isTaken(core, core.submitNow(this), newHandler);
        } catch (Throwable failure) {
            putBack();
            throw failure;
        }
    }

    private boolean isTaken(ContextCore core, int result, SendHandler newHandler) {
        if (result == DocaError.SUCCESS.code()) {
            handler = newHandler;
            connection().tookOff();
            return true;
        }
        if (result == DocaError.AGAIN.code() && connection().hasInFlight()) {
            Calls.settle();
            connection().setFull();
            putBack();
            return false;
        }
        throw core.refused(result, "doca_task_submit", this);
    }

    private void putBack() {
        freeTask();
        table.put(this);
    }

    private MemorySegment memory() {
        MemorySegment present = memory;
        if (present == null) {
            present = object.allocateMemory(size);
            memory = present;
        }
        return present;
    }

    /** The next send needs a native task of its own. */
    @Override
    protected void collect() {
        freeTask();
    }

    @Override
    protected void succeeded() {
        SendHandler told = release();
        told.sent(connection(), length);
    }

    @Override
    protected void failed(TaskFailedException failure) {
        freeTask();
        SendHandler told = release();
        told.failed(connection(), failure);
    }

    /** Lets go of the slot, so that whoever is told next can use it. */
    private SendHandler release() {
        SendHandler told = handler;
        handler = Nobody.INSTANCE;
        table.put(this);
        connection().landed();
        return told;
    }

    private CommConnection connection() {
        return Objects.requireNonNull(connection);
    }

    @Override
    protected void refused() {}

    @Override
    protected void abandoned(RuntimeException reason) {
        SendHandler told = handler;
        handler = Nobody.INSTANCE;
        int code = DocaError.SHUTDOWN.code();
        TaskFailedException failure = new TaskFailedException(
                Calls.message(code, function(), attempt(), List.of()),
                code,
                function(),
                TaskFailedException.Reason.STOPPED);
        failure.initCause(reason);
        told.failed(connection(), failure);
    }

    @Override
    protected String function() {
        return "doca_comch_task_send";
    }

    @Override
    protected String attempt() {
        return attempt(connection(), length);
    }

    static String attempt(CommConnection connection, long length) {
        return "sending " + length + " bytes on " + connection;
    }

    /** Told of the end of a send that was given up, when it comes after all. */
    private enum Nobody implements SendHandler {
        INSTANCE;

        @Override
        public void sent(CommConnection on, long bytes) {}

        @Override
        public void failed(CommConnection on, TaskFailedException failure) {}
    }
}
