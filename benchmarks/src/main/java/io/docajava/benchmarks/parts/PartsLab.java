/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.parts;

import io.docajava.benchmarks.BenchDevice;
import io.docajava.benchmarks.pair.Allocations;
import io.docajava.core.device.Device;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.dma.DmaContext;
import io.docajava.dma.DmaTask;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Buffers and tasks that are taken and returned, without copies. */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH calls open() before all else
public class PartsLab {

    /** Operations of one invocation. */
    static final int OPERATIONS = 1024;

    /** The number of buffers or tasks at a time. */
    @Param({"1", "32", "256"})
    public int depth;

    /** Bytes of a buffer. */
    @Param("64")
    public int size;

    private final Allocations allocations = Allocations.ofThisThread();
    private long operations;
    private Device device;
    private ProgressEngine engine;
    private DmaContext dma;
    private Mmap memory;
    private BufInventory buffers;
    private Buf[] taken;
    private Buf[] kept;
    private DmaTask[] tasks;

    /** Opens the device. */
    @Setup
    public void open() {
        device = BenchDevice.open();
        engine = ProgressEngine.create();
        dma = DmaContext.builder(device).maxTasks(depth).start(engine);
        memory = Mmap.allocate(device, 2L * depth * size, Access.LOCAL_READ_WRITE);
        buffers = BufInventory.create(3 * depth);
        taken = new Buf[2 * depth];
        kept = new Buf[depth];
        tasks = new DmaTask[depth];
        for (int i = 0; i < depth; i++) {
            kept[i] = buffers.data(memory, source(i), size);
        }
    }

    /** Starts counting allocations. */
    @Setup(Level.Iteration)
    public void begin() {
        operations = 0;
        allocations.begin();
    }

    /** Stops counting allocations. */
    @TearDown(Level.Iteration)
    public void end() {
        allocations.end(operations);
    }

    /** Closes all objects. */
    @TearDown
    public void close() {
        buffers.close();
        memory.close();
        dma.close();
        engine.close();
        device.close();
    }

    private long source(int index) {
        return 2L * index * size;
    }

    private long target(int index) {
        return source(index) + size;
    }

    /** Takes pairs of buffers, sets the data of the second one of each, and returns them. */
    void takeBuffers() {
        for (int done = 0; done < OPERATIONS; done += depth) {
            for (int i = 0; i < depth; i++) {
                taken[2 * i] = buffers.data(memory, source(i), size);
                Buf target = buffers.space(memory, target(i), size);
                target.setData(0, size);
                taken[2 * i + 1] = target;
            }
            for (Buf buffer : taken) {
                buffer.close();
            }
        }
        operations += OPERATIONS;
    }

    /** Sets buffers to two ranges in turn. */
    void aimBuffers() {
        for (int done = 0; done < OPERATIONS; done += depth) {
            boolean there = (done / depth) % 2 == 0;
            for (int i = 0; i < depth; i++) {
                kept[i].reuseAsData(there ? target(i) : source(i), size);
            }
        }
        operations += OPERATIONS;
    }

    /** Takes tasks, configures them, and returns them. */
    void armTasks() {
        for (int done = 0; done < OPERATIONS; done += depth) {
            for (int i = 0; i < depth; i++) {
                MapRange source = memory.range(source(i), size);
                MapRange target = memory.range(target(i), size);
                tasks[i] = dma.task(source, target).ranges(source, target);
            }
            for (DmaTask task : tasks) {
                task.close();
            }
        }
        operations += OPERATIONS;
    }
}
