/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.context.ContextState;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.dma.DmaContext;
import io.docajava.testing.Await;
import java.lang.foreign.ValueLayout;
import java.time.Duration;

/** A context with memory, whose blocks are numbered from 0 and have one destination each. */
final class FaultLab implements AutoCloseable {

    static final long BLOCK = 256;
    static final int BLOCKS = 64;

    /** Far longer than any test takes. */
    static final Duration LONG = Await.LIMIT;

    private static final long TARGETS = BLOCKS * BLOCK;

    final Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
    final ProgressEngine engine = ProgressEngine.create();
    final DmaContext dma;
    final Mmap memory = Mmap.allocate(device, 2 * TARGETS, Access.LOCAL_READ_WRITE);
    final BufInventory buffers = BufInventory.create(4 * BLOCKS);

    FaultLab() {
        this(false);
    }

    /** Creates the objects, with a context that may report copies together. */
    FaultLab(boolean optimized) {
        dma = DmaContext.builder(device)
                .maxTasks(BLOCKS)
                .optimizeReports(optimized)
                .start(engine);
        for (long i = 0; i < TARGETS; i++) {
            memory.segment().set(ValueLayout.JAVA_BYTE, i, (byte) (i / BLOCK + 1));
        }
    }

    /** Returns whether completions may come out of order, which depends on the emulator's engine. */
    static boolean isThreaded() {
        return "threaded".equals(System.getenv("DOCA_EMULATOR_ENGINE"));
    }

    Buf source(int block) {
        return buffers.data(memory, block * BLOCK, BLOCK);
    }

    Buf target(int block) {
        return buffers.space(memory, TARGETS + block * BLOCK, BLOCK);
    }

    MapRange sourceRange(int block) {
        return memory.range(block * BLOCK, BLOCK);
    }

    MapRange targetRange(int block) {
        return memory.range(TARGETS + block * BLOCK, BLOCK);
    }

    /** Submits the copy of a block. */
    Completion<Long> copy(int block) {
        return dma.copy(sourceRange(block), targetRange(block));
    }

    boolean isCopied(int block) {
        byte[] target = memory.segment().asSlice(TARGETS + block * BLOCK, BLOCK).toArray(ValueLayout.JAVA_BYTE);
        for (byte value : target) {
            if (value != (byte) (block + 1)) {
                return false;
            }
        }
        return true;
    }

    void drain() throws Exception {
        dma.drain(LONG);
    }

    /** Progresses until the context has stopped. */
    void awaitIdle() throws InterruptedException {
        assertThat(engine.await(() -> dma.state() == ContextState.IDLE, LONG))
                .as("waits for the stop of the context")
                .isTrue();
    }

    /** Checks that the context works. */
    void assertCopies() throws Exception {
        assertThat(copy(BLOCKS - 1).await(LONG)).isEqualTo(BLOCK);
        assertThat(isCopied(BLOCKS - 1)).isTrue();
    }

    @Override
    public void close() {
        buffers.close();
        memory.close();
        dma.close();
        engine.close();
        device.close();
    }
}
