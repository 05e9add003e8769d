/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.rdma;

import io.docajava.benchmarks.copy.Lab;
import io.docajava.benchmarks.copy.Window;
import io.docajava.core.context.Batch;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.memory.Buf;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaHandler;
import io.docajava.rdma.RdmaTaskType;
import org.jspecify.annotations.Nullable;

/** Operations in a batch, with one handler for all. Each completion submits the next pair of buffers. */
@SuppressWarnings("NullAway.Init") // JMH calls open() before all else
public abstract class RdmaCallbackWindow extends Window implements RdmaHandler {

    private final RdmaTaskType type;
    private RdmaLab lab;
    private Batch batch;
    private int turn;

    RdmaCallbackWindow(RdmaTaskType type) {
        this.type = type;
    }

    @Override
    protected final Lab open(ProgressEngine progress) {
        lab = new RdmaLab(progress, type, size, depth);
        return lab;
    }

    private void submitNext() {
        int index = turn;
        turn = index + 1 == depth ? 0 : index + 1;
        lab.connection.submit(lab.operations[index], this);
    }

    @Override
    protected void submitAll() {
        batch = lab.rdma.batch();
        turn = 0;
        for (int i = 0; i < depth; i++) {
            submitNext();
        }
    }

    @Override
    public void succeeded(RdmaConnection connection, @Nullable Buf local, long result) {
        if (next()) {
            submitNext();
        }
    }

    @Override
    public void failed(RdmaConnection connection, @Nullable Buf local, TaskFailedException failure) {
        fail(failure);
    }

    @Override
    protected void endIteration() {
        batch.close();
    }
}
