/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.copy;

import io.docajava.core.memory.Buf;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.dma.DmaContext;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One thread's use of a loop: it keeps its share of copies in flight, and waits for the oldest one. */
final class LoopCaller {

    private final ProgressLoop loop;
    private final int size;
    private final List<Callable<CompletionStage<Long>>> copies = new ArrayList<>();
    private final Queue<CompletableFuture<Long>> inFlight = new ArrayDeque<>();

    LoopCaller(ProgressLoop loop, CopyLab lab, int first, int share, int size) {
        this.loop = loop;
        this.size = size;
        for (int i = first; i < first + share; i++) {
            copies.add(copy(lab.dma, lab.sources[i], lab.targets[i]));
        }
    }

    private static Callable<CompletionStage<Long>> copy(DmaContext dma, Buf source, Buf target) {
        return () -> {
            target.clear();
            return dma.copy(source, target);
        };
    }

    /** Makes {@code count} copies with the pairs of buffers in turn. */
    void copy(int count) {
        int share = copies.size();
        for (int i = 0; i < count; i++) {
            if (inFlight.size() == share) {
                await();
            }
            inFlight.add(loop.submit(copies.get(i % share)));
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
