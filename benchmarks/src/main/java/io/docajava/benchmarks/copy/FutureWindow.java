/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.copy;

import io.docajava.core.memory.MapRange;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import java.util.ArrayList;
import java.util.List;

/** Copies of ranges with one future each, which are polled in the order of submission. */
@SuppressWarnings("NullAway.Init") // JMH calls open() before all else
public class FutureWindow extends CopyWindow {

    private final List<Completion<Long>> futures = new ArrayList<>();
    private CopyLab lab;
    private List<MapRange> sources;
    private List<MapRange> targets;
    private int oldest;

    @Override
    void prepare(CopyLab copies) {
        lab = copies;
        sources = lab.sourceRanges();
        targets = lab.targetRanges();
    }

    @Override
    protected void submitAll() {
        for (int i = 0; i < depth; i++) {
            futures.add(lab.dma.copy(sources.get(i), targets.get(i)));
        }
    }

    @Override
    protected void round(ProgressEngine progress) {
        progress.progress();
        while (oldest < futures.size() && futures.get(oldest).isDone()) {
            if (futures.get(oldest).resultNow() != size) {
                throw new IllegalStateException("Copied " + futures.get(oldest).resultNow() + " bytes of " + size);
            }
            if (!next()) {
                futures.clear();
                oldest = 0;
                return;
            }
            futures.set(oldest, lab.dma.copy(sources.get(oldest), targets.get(oldest)));
            oldest = oldest + 1 < depth ? oldest + 1 : 0;
        }
    }

    @Override
    protected void endIteration() {
        futures.clear();
        oldest = 0;
    }
}
