/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.copy;

import io.docajava.core.context.TaskStatus;
import io.docajava.core.memory.MapRange;
import io.docajava.dma.DmaContext;
import io.docajava.dma.DmaTask;
import java.util.List;
import java.util.function.Consumer;

/** Tasks of ranges that are prepared once, and submitted again. */
@SuppressWarnings("NullAway.Init") // JMH calls open() before all else
public class BatchWindow extends CopyWindow implements Consumer<DmaTask> {

    private DmaContext dma;
    private DmaTask[] tasks;

    @Override
    void prepare(CopyLab copies) {
        dma = copies.dma;
        tasks = new DmaTask[depth];
        List<MapRange> sources = copies.sourceRanges();
        List<MapRange> targets = copies.targetRanges();
        for (int i = 0; i < depth; i++) {
            tasks[i] = dma.task(sources.get(i), targets.get(i)).onCompletion(this);
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

    @Override
    public void accept(DmaTask task) {
        if (task.status() != TaskStatus.SUCCEEDED) {
            fail(task.failure().orElseThrow());
        } else if (next()) {
            task.submit();
        }
    }
}
