/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.copy;

import io.docajava.benchmarks.BenchDevice;
import io.docajava.benchmarks.BenchMemory;
import io.docajava.benchmarks.pair.Exporter;
import io.docajava.core.device.Device;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.dma.DmaContext;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The objects that copies need: a context, and for each copy in flight a pair of buffers with its own memory. */
final class CopyLab implements Lab {

    final ProgressEngine engine;
    final DmaContext dma;
    final Buf[] sources;
    final Buf[] targets;

    private final int size;
    private final Device device;
    private final @Nullable Exporter exporter;
    private final Mmap sourceMemory;
    private final Mmap targetMemory;
    /** Local memory for verifying memory that this process cannot access directly. */
    private final Mmap scratch;

    private final BufInventory buffers;

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
        long bytes = (long) size * depth;
        device = BenchDevice.open();
        // One more for memory that this process cannot access directly.
        dma = DmaContext.builder(device).maxTasks(depth + 1).start(engine);
        exporter = remote == Remote.NEITHER ? null : startExporter(bytes);
        sourceMemory = remote == Remote.SOURCE ? imported() : map(BenchMemory.sources(bytes));
        targetMemory = remote == Remote.TARGET ? imported() : map(BenchMemory.targets(bytes));
        scratch = Mmap.allocate(device, size, Access.LOCAL_READ_WRITE);
        buffers = BufInventory.create(2 * depth + 2);
        sources = new Buf[depth];
        targets = new Buf[depth];
        for (int i = 0; i < depth; i++) {
            sources[i] = buffers.data(sourceMemory, (long) i * size, size);
            targets[i] = buffers.space(targetMemory, (long) i * size, size);
        }
        for (int i = 0; i < depth; i++) {
            Pattern.fill(view(sourceMemory, i), i);
            publish(sourceMemory, i);
        }
    }

    @Override
    public void clear() {
        for (int i = 0; i < targets.length; i++) {
            targets[i].clear();
            view(targetMemory, i).fill((byte) 0);
            publish(targetMemory, i);
        }
    }

    @Override
    public void check() {
        for (int i = 0; i < targets.length; i++) {
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
        try (Buf source = buffers.data(from, fromOffset, size);
                Buf target = buffers.space(to, toOffset, size)) {
            dma.copy(source, target).await(engine);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while copying", e);
        }
    }

    private static Exporter startExporter(long bytes) {
        try {
            return Exporter.start(bytes);
        } catch (IOException e) {
            throw new IllegalStateException("No memory of another process: " + e.getMessage(), e);
        }
    }

    private Mmap map(MemorySegment memory) {
        return Mmap.registerUnowned(device, memory, Access.LOCAL_READ_WRITE);
    }

    private Mmap imported() {
        if (exporter == null) {
            throw new IllegalStateException("Nothing was exported");
        }
        return Mmap.fromExport(device, exporter.export());
    }

    @Override
    public void close() {
        buffers.close();
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
