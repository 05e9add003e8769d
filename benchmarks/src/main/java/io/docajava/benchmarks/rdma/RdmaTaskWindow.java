/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.rdma;

import io.docajava.benchmarks.copy.Lab;
import io.docajava.benchmarks.copy.Window;
import io.docajava.core.context.Batch;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.memory.Buf;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.rdma.RdmaTask;
import io.docajava.rdma.RdmaTaskType;
import java.util.function.Consumer;

/** Tasks that are prepared once, and submitted again in a batch. */
@SuppressWarnings("NullAway.Init") // JMH calls open() before all else
public abstract class RdmaTaskWindow extends Window {

    private final RdmaTaskType type;
    private RdmaLab lab;
    private RdmaTask[] tasks;
    private Batch batch;

    RdmaTaskWindow(RdmaTaskType type) {
        this.type = type;
    }

    @Override
    protected final Lab open(ProgressEngine progress) {
        lab = new RdmaLab(progress, type, size, depth);
        return lab;
    }

    private RdmaTask task(int index) {
        return lab.connection.task(lab.operations[index]).onCompletion(new Again(lab.locals[index]));
    }

    @Override
    protected void submitAll() {
        tasks = new RdmaTask[depth];
        batch = lab.rdma.batch();
        for (int i = 0; i < depth; i++) {
            tasks[i] = task(i);
            tasks[i].submit();
        }
    }

    @Override
    protected void endIteration() {
        batch.close();
        for (RdmaTask task : tasks) {
            task.close();
        }
    }

    private final class Again implements Consumer<RdmaTask> {

        private final Buf local;

        Again(Buf local) {
            this.local = local;
        }

        @Override
        public void accept(RdmaTask task) {
            if (task.status() != TaskStatus.SUCCEEDED) {
                fail(task.failure().orElseThrow());
            } else if (next()) {
                if (type == RdmaTaskType.READ) {
                    local.clear();
                }
                task.submit();
            }
        }
    }
}
