/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.rdma;

import io.docajava.benchmarks.copy.Lab;
import io.docajava.benchmarks.copy.Window;
import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.rdma.OperationEnd;
import io.docajava.rdma.RdmaTaskType;
import org.jspecify.annotations.Nullable;

/** Operations with one handler for all. Each completion submits the next pair of ranges. */
@SuppressWarnings("NullAway.Init") // JMH calls open() before all else
public abstract class RdmaCallbackWindow extends Window implements Handler<OperationEnd> {

    private final RdmaTaskType type;
    private RdmaLab lab;
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
        turn = 0;
        for (int i = 0; i < depth; i++) {
            submitNext();
        }
    }

    @Override
    public void ended(OperationEnd end, @Nullable TaskFailedException failure) {
        if (failure != null) {
            fail(failure);
        } else if (next()) {
            submitNext();
        }
    }
}
