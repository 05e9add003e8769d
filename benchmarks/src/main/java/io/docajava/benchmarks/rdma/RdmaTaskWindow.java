/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.rdma;

import io.docajava.benchmarks.copy.Lab;
import io.docajava.benchmarks.copy.Window;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.rdma.RdmaTask;
import io.docajava.rdma.RdmaTaskType;

/** Tasks that are prepared once, and submitted again. */
@SuppressWarnings("NullAway.Init") // JMH calls open() before all else
public abstract class RdmaTaskWindow extends Window {

    private final RdmaTaskType type;
    private RdmaLab lab;
    private RdmaTask[] tasks;

    RdmaTaskWindow(RdmaTaskType type) {
        this.type = type;
    }

    @Override
    protected final Lab open(ProgressEngine progress) {
        lab = new RdmaLab(progress, type, size, depth);
        return lab;
    }

    private RdmaTask task(int index) {
        return lab.connection.task(lab.operations[index]).onCompletion(this::again);
    }

    @Override
    protected void submitAll() {
        tasks = new RdmaTask[depth];
        for (int i = 0; i < depth; i++) {
            tasks[i] = task(i);
            tasks[i].submit();
        }
    }

    @Override
    protected void endIteration() {
        for (RdmaTask task : tasks) {
            task.close();
        }
    }

    private void again(RdmaTask task) {
        if (task.status() != TaskStatus.SUCCEEDED) {
            fail(task.failure().orElseThrow());
        } else if (next()) {
            task.submit();
        }
    }
}
