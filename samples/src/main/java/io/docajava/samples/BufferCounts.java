/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.Mmap;
import io.docajava.dma.DmaCapabilities;
import io.docajava.dma.DmaContext;
import io.docajava.samples.cli.CountConverter;
import io.docajava.samples.cli.SampleException;
import picocli.CommandLine.Option;

/** The flags for the number of buffers that the source and the target of a copy are split into. */
final class BufferCounts {

    @Option(
            names = {"-ns", "--num-src-buf"},
            paramLabel = "<number>",
            defaultValue = "1",
            converter = CountConverter.class,
            description = "Number of buffers that the source is split into, by default ${DEFAULT-VALUE}")
    private int sources;

    @Option(
            names = {"-nd", "--num-dst-buf"},
            paramLabel = "<number>",
            defaultValue = "1",
            converter = CountConverter.class,
            description = "Number of buffers that the target is split into, by default ${DEFAULT-VALUE}")
    private int targets;

    /**
     * Checks that a device can copy this many buffers. Without the flags there are no lists.
     *
     * @throws SampleException if there are too many
     */
    void check(DmaCapabilities limits) {
        long number = (long) sources + targets;
        if (!isRange() && number > limits.maxListLength()) {
            throw new SampleException("Number of buffers [" + number + "] exceeds the limit of the device ["
                    + limits.maxListLength() + "]");
        }
    }

    private boolean isRange() {
        return sources == 1 && targets == 1;
    }

    /**
     * Copies all of one map to another, and waits for the end. Without the flags it copies a range; with them, the buffers of one
     * list to those of another, as programs in C do.
     */
    void copy(DmaContext dma, Mmap source, Mmap target) throws InterruptedException {
        if (isRange()) {
            dma.copy(source.all(), target.all()).await();
            return;
        }
        try (BufInventory buffers = BufInventory.create(sources + targets)) {
            // No buffer is empty, so there are at most as many as bytes.
            long length = source.byteSize();
            Buf data = buffers.list()
                    .splitData(source, 0, length, (int) Math.min(sources, length))
                    .build();
            Buf space = buffers.list()
                    .splitSpace(target, 0, length, (int) Math.min(targets, length))
                    .build();
            dma.copy(data, space).await();
        }
    }
}
