/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.Mmap;
import io.docajava.dma.DmaCapabilities;
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
     * Checks that a device can copy this many buffers.
     *
     * @throws SampleException if there are too many
     */
    void check(DmaCapabilities limits) {
        long number = (long) sources + targets;
        if (number > limits.maxListLength()) {
            throw new SampleException("Number of buffers [" + number + "] exceeds the limit of the device ["
                    + limits.maxListLength() + "]");
        }
    }

    /** Creates an inventory for all buffers. */
    BufInventory createInventory() {
        return BufInventory.create(sources + targets);
    }

    /** Returns the buffers of the source, which cover the whole map. None is empty, so there are at most as many as bytes. */
    Buf source(BufInventory buffers, Mmap memory) {
        long length = memory.byteSize();
        return buffers.list()
                .splitData(memory, 0, length, (int) Math.min(sources, length))
                .build();
    }

    /** Returns the buffers of the target, as {@link #source} does. */
    Buf target(BufInventory buffers, Mmap memory) {
        long length = memory.byteSize();
        return buffers.list()
                .splitSpace(memory, 0, length, (int) Math.min(targets, length))
                .build();
    }
}
