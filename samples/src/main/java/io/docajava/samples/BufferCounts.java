/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.Mmap;
import io.docajava.dma.DmaCapabilities;
import io.docajava.samples.cli.CountConverter;
import io.docajava.samples.cli.SampleException;
import picocli.CommandLine.Option;

/** The flags that say into how many buffers a copy is split, for the samples that have them. */
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
     * Refuses more than a device can copy.
     *
     * @throws SampleException if they are more
     */
    void check(DmaCapabilities limits) {
        long number = (long) sources + targets;
        if (number > limits.maxListLength()) {
            throw new SampleException("Number of buffers [" + number + "] exceeds the limit of the device ["
                    + limits.maxListLength() + "]");
        }
    }

    /** An inventory for all of them. */
    BufInventory createInventory() {
        return BufInventory.create(sources + targets);
    }

    /** All of a memory as the source. None of the buffers is empty, so that there are no more of them than bytes. */
    Buf source(BufInventory buffers, Mmap memory) {
        long length = memory.byteSize();
        return buffers.list()
                .splitData(memory, 0, length, (int) Math.min(sources, length))
                .build();
    }

    /** All of a memory as the target, likewise. */
    Buf target(BufInventory buffers, Mmap memory) {
        long length = memory.byteSize();
        return buffers.list()
                .splitSpace(memory, 0, length, (int) Math.min(targets, length))
                .build();
    }
}
