/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.context.ContextState;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.BufImpl;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.ffi.hot.BufCalls;
import io.docajava.testing.Await;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** The objects that a copy needs, on the first port of the emulated DPU. It closes them in the order that users would. */
final class Lab implements AutoCloseable {

    static final String DEVICE = "0000:03:00.0 (mlx5_0)";
    static final int MEMORY = 1 << 20;
    /** The size of the inventory: large enough that tests run out of tasks first. */
    static final int BUFFERS = 1024;

    final Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
    final ProgressEngine engine = ProgressEngine.create();
    /** The exceptions of callbacks. */
    final List<Throwable> reported = new ArrayList<>();

    final DmaContext dma;
    final Mmap memory = Mmap.allocate(device, MEMORY, Access.LOCAL_READ_WRITE);
    final BufInventory buffers = BufInventory.create(BUFFERS);

    Lab() {
        this(8);
    }

    Lab(int maxTasks) {
        this(builder -> builder.maxTasks(maxTasks));
    }

    Lab(UnaryOperator<DmaContextBuilder> configuration) {
        this(configuration, true);
    }

    /** Creates the objects. Without {@code report}, the engine keeps its default error handler. */
    Lab(UnaryOperator<DmaContextBuilder> configuration, boolean report) {
        if (report) {
            engine.errorHandler(reported::add);
        }
        dma = configuration.apply(DmaContext.builder(device)).start(engine);
    }

    /** Returns a buffer with data, each byte of which depends on its offset in the memory. */
    Buf data(long offset, long length) {
        fill(offset, length);
        return buffers.data(memory, offset, length);
    }

    private void fill(long offset, long length) {
        for (long i = offset; i < offset + length; i++) {
            memory.segment().set(ValueLayout.JAVA_BYTE, i, byteAt(i));
        }
    }

    Buf space(long offset, long length) {
        return buffers.space(memory, offset, length);
    }

    /** Returns a range with data as that of {@link #data}. */
    MapRange filled(long offset, long length) {
        fill(offset, length);
        return memory.range(offset, length);
    }

    /** Returns the ranges of buffers. */
    List<MapRange> ranges(List<Buf> ofBuffers) {
        return ofBuffers.stream()
                .map(BufImpl::list)
                .map(element -> memory.range(element.head() - element.map().base(), element.length()))
                .toList();
    }

    static byte byteAt(long offset) {
        return (byte) (offset * 31 + (offset >>> 8) + 1);
    }

    /** Checks that the target has the bytes that {@link #data} wrote to the source. */
    void assertCopied(long sourceOffset, long targetOffset, long length) {
        assertThat(memory.segment()
                        .asSlice(targetOffset, length)
                        .mismatch(memory.segment().asSlice(sourceOffset, length)))
                .isEqualTo(-1);
        assertThat(memory.segment().get(ValueLayout.JAVA_BYTE, targetOffset)).isEqualTo(byteAt(sourceOffset));
    }

    /**
     * Makes the next copy of a buffer and its context fail: empties the native buffer, which Java normally prevents and
     * does not notice.
     */
    static void spoil(Buf source) {
        BufElement element = BufImpl.list(source);
        assertThat(BufCalls.setData(element.pointer(), element.data(), 0)).isZero();
        // Otherwise Java would pass the data segment to the SDK again after a failure.
        element.markListUpdated();
    }

    /** Undoes {@link #spoil}. */
    static void repair(Buf source) {
        BufElement element = BufImpl.list(source);
        assertThat(BufCalls.setData(element.pointer(), element.data(), element.dataLength()))
                .isZero();
    }

    /** Progresses until nothing is in flight. */
    void drain() throws Exception {
        dma.drain(Await.LIMIT);
    }

    /** Progresses until the context has stopped. */
    void awaitIdle(Duration limit) throws InterruptedException {
        assertThat(engine.await(() -> dma.state() == ContextState.IDLE, limit))
                .as("waits for the stop of the context")
                .isTrue();
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
