/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.internal.operation.Operation;
import io.docajava.core.internal.operation.OperationPool;
import io.docajava.core.internal.operation.OperationSink;
import java.util.ArrayDeque;

/**
 * Checks whether data can flow on connections, by writes of 0 bytes; see {@link ConnectionCheck#EMPTY_WRITE}. The pool is empty for
 * {@link ConnectionCheck#NONE}.
 */
final class Probes implements OperationSink {

    private final OperationPool pool;
    private final ArrayDeque<RdmaConnection> waiting = new ArrayDeque<>();

    Probes(OperationPool pool) {
        this.pool = pool;
    }

    /** Checks a connection as soon as a task is free, and reports the result to the connection. */
    void check(RdmaConnection connection) {
        if (pool.size() == 0) {
            connection.established();
            return;
        }
        waiting.add(connection);
        next();
    }

    private void next() {
        while (pool.available() > 0) {
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
        try {
            pool.take().on(connection).submit(this, null);
            connection.beginProbe();
        } catch (Throwable failure) {
            connection.notEstablished(failure);
        }
    }

    @Override
    public void succeeded(Operation operation) {
        ((RdmaConnection) operation.subject()).established();
        next();
    }

    @Override
    public void failed(Operation operation, TaskFailedException failure) {
        ((RdmaConnection) operation.subject()).notEstablished(failure);
        next();
    }
}
