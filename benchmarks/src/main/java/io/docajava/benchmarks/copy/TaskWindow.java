/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.copy;

import io.docajava.core.context.TaskStatus;
import io.docajava.core.memory.Buf;
import io.docajava.dma.DmaTask;
import java.util.function.Consumer;

/** Tasks that are prepared once, and submitted again one by one as each completes. */
@SuppressWarnings("NullAway.Init") // JMH calls open() before all else
public class TaskWindow extends CopyWindow {

    private DmaTask[] tasks;

    @Override
    void prepare(CopyLab copies) {
        tasks = new DmaTask[depth];
        for (int i = 0; i < depth; i++) {
            tasks[i] = copies.dma.task(copies.sources[i], copies.targets[i]).onCompletion(new Again(copies.targets[i]));
        }
    }

    @Override
    protected void submitAll() {
        for (DmaTask task : tasks) {
            task.submit();
        }
    }

    @Override
    protected void release() {
        for (DmaTask task : tasks) {
            task.close();
        }
    }

    private final class Again implements Consumer<DmaTask> {

        private final Buf target;

        Again(Buf target) {
            this.target = target;
        }

        @Override
        public void accept(DmaTask task) {
            if (task.status() != TaskStatus.SUCCEEDED) {
                fail(task.failure().orElseThrow());
            } else if (next()) {
                target.clear();
                task.submit();
            }
        }
    }
}
