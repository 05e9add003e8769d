/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.internal.Handles;
import io.docajava.core.internal.context.TaskTable;
import io.docajava.core.internal.context.WaitingTask;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.memory.Buf;
import io.docajava.core.progress.Completion;
import io.docajava.core.sync.RemoteSyncEvent;
import org.jspecify.annotations.Nullable;

/**
 * An operation that was asked for on a loop while others waited, or no task of its type was free. Its buffers are in use until
 * it is submitted, and then again.
 */
final class WaitingOperation implements WaitingTask {

    private final RdmaTaskType type;
    private final RdmaConnection connection;
    private final @Nullable Buf local;
    private final @Nullable Buf remote;
    private final @Nullable BufElement here;
    private final @Nullable BufElement there;
    private final @Nullable RemoteSyncEvent event;
    private final long first;
    private final long second;
    private final Completion<Long> completion;

    /**
     * Checks the buffers, or the event, and takes them into use.
     *
     * @param event of the peer, for an operation on one; then there are no buffers
     */
    WaitingOperation(
            RdmaTaskType type,
            RdmaConnection connection,
            @Nullable Buf local,
            @Nullable Buf remote,
            @Nullable RemoteSyncEvent event,
            long first,
            long second,
            Completion<Long> completion) {
        this.type = type;
        this.connection = connection;
        this.local = local;
        this.remote = remote;
        this.event = event;
        this.first = first;
        this.second = second;
        this.completion = completion;
        here = local == null ? null : Handles.list(local);
        there = remote == null ? null : Handles.list(remote);
        connection.checkUsable();
        connection.context().operationCheck().check(type, here, there);
        if (event != null) {
            connection.context().operationCheck().checkEvent(Handles.inside(event));
        }
        acquire();
    }

    @Override
    public TaskTable<OperationSlot> table() {
        return connection.context().table(type);
    }

    @Override
    public void submit() {
        release();
        try {
            if (event != null) {
                connection.context().submitOnEvent(type, connection, event, first, completion);
            } else {
                connection.context().submit(type, connection, local, remote, first, second, completion);
            }
        } catch (Throwable failure) {
            completion.completeExceptionally(failure);
        }
    }

    @Override
    public void refuse(RuntimeException reason) {
        release();
        completion.completeExceptionally(reason);
    }

    private void acquire() {
        if (event != null) {
            Handles.inside(event).acquire();
        }
        if (here != null) {
            if (type == RdmaTaskType.READ) {
                here.acquireAsTarget();
            } else {
                here.acquire();
            }
        }
        if (there != null) {
            there.acquire();
        }
    }

    private void release() {
        if (event != null) {
            Handles.inside(event).release();
        }
        if (here != null) {
            if (type == RdmaTaskType.READ) {
                here.releaseAsTarget();
            } else {
                here.release();
            }
        }
        if (there != null) {
            there.release();
        }
    }
}
