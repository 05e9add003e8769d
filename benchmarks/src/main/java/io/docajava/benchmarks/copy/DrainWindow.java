/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.copy;

import io.docajava.core.memory.MapRange;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.dma.DmaTask;
import java.util.List;

/** Rounds of prepared tasks: all are submitted, and all complete before the next round. */
@SuppressWarnings("NullAway.Init") // JMH calls open() before all else
public class DrainWindow extends CopyWindow {

    private DmaTask[] tasks;
    private int inRound;

    @Override
    void prepare(CopyLab copies) {
        tasks = new DmaTask[depth];
        List<MapRange> sources = copies.sourceRanges();
        List<MapRange> targets = copies.targetRanges();
        for (int i = 0; i < depth; i++) {
            tasks[i] = copies.dma.task(sources.get(i), targets.get(i)).onCompletion(this::ended);
        }
    }

    @Override
    protected void submitAll() {
        submitRound();
    }

    @Override
    protected void round(ProgressEngine progress) {
        if (inRound == 0) {
            submitRound();
        }
        progress.progress();
    }

    private void submitRound() {
        for (DmaTask task : tasks) {
            task.submit();
        }
        inRound = depth;
    }

    private void ended(DmaTask task) {
        inRound--;
        next();
        if (task.bytes() != size) {
            fail(new IllegalStateException("Copied " + task.bytes() + " bytes of " + size));
        }
    }

    @Override
    protected void release() {
        for (DmaTask task : tasks) {
            task.close();
        }
    }
}
