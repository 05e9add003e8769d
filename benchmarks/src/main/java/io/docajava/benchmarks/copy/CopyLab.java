/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.copy;

import io.docajava.benchmarks.BenchDevice;
import io.docajava.benchmarks.BenchMemory;
import io.docajava.benchmarks.pair.Exporter;
import io.docajava.core.device.Device;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.dma.DmaContext;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The objects that copies need: a context, and memory with a block for each copy in flight. */
final class CopyLab implements Lab {

    final ProgressEngine engine;
    final DmaContext dma;

    private final int size;
    private final int depth;
    private final Device device;
    private final @Nullable Exporter exporter;
    final Mmap sourceMemory;
    final Mmap targetMemory;
    /** Local memory for verifying memory that this process cannot access directly. */
    private final Mmap scratch;

    /** The memory that belongs to another process. */
    enum Remote {
        NEITHER,
        SOURCE,
        TARGET
    }

    /**
     * Opens the first device that can copy, and fills the sources.
     *
     * @param size the number of bytes of each copy
     * @param depth the number of copies in flight
     */
    CopyLab(ProgressEngine engine, int size, int depth, Remote remote) {
        this.engine = engine;
        this.size = size;
        this.depth = depth;
        long bytes = (long) size * depth;
        device = BenchDevice.open();
        // One more for memory that this process cannot access directly.
        dma = DmaContext.builder(device).maxTasks(depth + 1).start(engine);
        exporter = remote == Remote.NEITHER ? null : startExporter(bytes);
        sourceMemory = remote == Remote.SOURCE ? imported() : map(BenchMemory.sources(bytes));
        targetMemory = remote == Remote.TARGET ? imported() : map(BenchMemory.targets(bytes));
        scratch = Mmap.allocate(device, size, Access.LOCAL_READ_WRITE);
        for (int i = 0; i < depth; i++) {
            Pattern.fill(view(sourceMemory, i), i);
            publish(sourceMemory, i);
        }
    }

    /** Returns the source of each copy. */
    List<MapRange> sourceRanges() {
        return ranges(sourceMemory);
    }

    /** Returns the target of each copy. */
    List<MapRange> targetRanges() {
        return ranges(targetMemory);
    }

    private List<MapRange> ranges(Mmap memory) {
        return IntStream.range(0, depth)
                .mapToObj(number -> memory.range((long) number * size, size))
                .toList();
    }

    @Override
    public void clear() {
        for (int i = 0; i < depth; i++) {
            view(targetMemory, i).fill((byte) 0);
            publish(targetMemory, i);
        }
    }

    @Override
    public void check() {
        for (int i = 0; i < depth; i++) {
            if (targetMemory.isImported()) {
                copy(targetMemory, (long) i * size, scratch, 0);
            }
            Pattern.check(view(targetMemory, i), i);
        }
    }

    private MemorySegment view(Mmap memory, int index) {
        return memory.isImported() ? scratch.segment() : memory.segment().asSlice((long) index * size, size);
    }

    private void publish(Mmap memory, int index) {
        if (memory.isImported()) {
            copy(scratch, 0, memory, (long) index * size);
        }
    }

    private void copy(Mmap from, long fromOffset, Mmap to, long toOffset) {
        try {
            dma.copy(from.range(fromOffset, size), to.range(toOffset, size)).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while copying", e);
        }
    }

    /** Starts another context on the same engine; the caller closes it. */
    DmaContext startAnother() {
        return DmaContext.builder(device).maxTasks(depth).start(engine);
    }

    /** Maps the sources again; the caller closes the maps. */
    List<Mmap> moreSources(int count) {
        return maps(sourceMemory, count);
    }

    /** Maps the targets again; the caller closes the maps. */
    List<Mmap> moreTargets(int count) {
        return maps(targetMemory, count);
    }

    private List<Mmap> maps(Mmap memory, int count) {
        return Stream.generate(() -> map(memory.segment())).limit(count).toList();
    }

    private static Exporter startExporter(long bytes) {
        try {
            return Exporter.start(bytes);
        } catch (IOException e) {
            throw new IllegalStateException("No memory of another process: " + e.getMessage(), e);
        }
    }

    private Mmap map(MemorySegment memory) {
        return Mmap.registerUnchecked(device, memory, Access.LOCAL_READ_WRITE);
    }

    private Mmap imported() {
        if (exporter == null) {
            throw new IllegalStateException("Nothing was exported");
        }
        return Mmap.fromExport(device, exporter.export());
    }

    @Override
    public void close() {
        scratch.close();
        targetMemory.close();
        sourceMemory.close();
        dma.close();
        device.close();
        if (exporter != null) {
            exporter.close();
        }
    }
}
