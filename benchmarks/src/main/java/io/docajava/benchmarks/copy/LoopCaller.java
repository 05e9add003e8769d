/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.copy;

import io.docajava.core.memory.MapRange;
import io.docajava.core.progress.Completion;
import io.docajava.dma.DmaContext;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/** One thread's use of a context on a loop: it keeps its share of copies in flight, and waits for the oldest one. */
final class LoopCaller {

    private final DmaContext dma;
    private final int size;
    private final List<MapRange> sources;
    private final List<MapRange> targets;
    private final Queue<Completion<Long>> inFlight = new ArrayDeque<>();

    LoopCaller(CopyLab lab, int first, int share, int size) {
        this.dma = lab.dma;
        this.size = size;
        this.sources = lab.sourceRanges().subList(first, first + share);
        this.targets = lab.targetRanges().subList(first, first + share);
    }

    /** Makes {@code count} copies between the blocks in turn. */
    void copy(int count) {
        int share = sources.size();
        for (int i = 0; i < count; i++) {
            if (inFlight.size() == share) {
                await();
            }
            inFlight.add(dma.copy(sources.get(i % share), targets.get(i % share)));
        }
        while (!inFlight.isEmpty()) {
            await();
        }
    }

    private void await() {
        long bytes = inFlight.remove().join();
        if (bytes != size) {
            throw new IllegalStateException("Copied " + bytes + " bytes of " + size);
        }
    }
}
