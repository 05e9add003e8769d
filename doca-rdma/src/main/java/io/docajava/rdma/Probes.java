/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.internal.context.TaskTable;
import io.docajava.core.memory.Buf;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Finds out whether data can flow on connections, by writes of 0 bytes; see {@link ConnectionCheck#EMPTY_WRITE}. */
final class Probes implements RdmaHandler {

    private final TaskTable<OperationSlot> table;
    private final ArrayDeque<RdmaConnection> waiting = new ArrayDeque<>();

    /** With tasks of its own, to write. */
    Probes(TaskTable<OperationSlot> table) {
        this.table = table;
    }

    /** Has a connection tried, as soon as there is a task for it. */
    void add(RdmaConnection connection) {
        waiting.add(connection);
        next();
    }

    private void next() {
        while (table.available() > 0) {
            RdmaConnection connection = waiting.poll();
            if (connection == null) {
                return;
            }
            if (connection.state() == ConnectionState.CONNECTING) {
                submit(connection);
            }
        }
    }

    private void submit(RdmaConnection connection) {
        OperationSlot slot = table.take();
        if (slot == null) {
            throw new AssertionError("A table with free slots has none");
        }
        try {
            slot.submit(connection, null, null, 0, 0, this);
            connection.beginProbe();
        } catch (RuntimeException failure) {
            connection.failed(failure);
        }
    }

    @Override
    public void succeeded(RdmaConnection connection, @Nullable Buf local, long result) {
        connection.established();
        next();
    }

    @Override
    public void failed(RdmaConnection connection, @Nullable Buf local, TaskFailedException failure) {
        connection.failed(failure);
        next();
    }
}
