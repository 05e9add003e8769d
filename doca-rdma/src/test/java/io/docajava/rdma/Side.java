/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.ffi.DocaLibrary;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

/** One of two peers: a device with a context, and memory that the other peer may access. */
final class Side implements AutoCloseable {

    static final int MEMORY = 1 << 20;
    static final Access ALL = Access.LOCAL_READ_WRITE
            .plus(Access.RDMA_READ)
            .plus(Access.RDMA_WRITE)
            .plus(Access.RDMA_ATOMIC);

    final Device device;
    final RdmaContext rdma;
    final Mmap memory;
    final BufInventory buffers = BufInventory.create(256);

    Side(String ibDevice, ProgressEngine engine, UnaryOperator<RdmaContextBuilder> configuration, Access access) {
        device = Device.open(DeviceFilter.ibDevice(ibDevice));
        rdma = configuration
                .apply(RdmaContext.builder(device).permissions(ALL).maxTasks(8).maxReceives(8))
                .start(engine);
        memory = Mmap.allocate(device, MEMORY, access);
    }

    /** Makes sends wait for a receive of the peer without limit, on releases where this can be configured. */
    static RdmaContextBuilder retryForever(RdmaContextBuilder builder) {
        return DocaLibrary.load().has("doca_rdma_set_rnr_retry_count") ? builder.rnrRetryCount(7) : builder;
    }

    /** Returns a buffer with data, each byte of which depends on its offset in the memory. */
    Buf data(long offset, long length) {
        fill(offset, length);
        return buffers.data(memory, offset, length);
    }

    /** Returns a range with data as that of {@link #data}. */
    MapRange filled(long offset, long length) {
        fill(offset, length);
        return memory.range(offset, length);
    }

    private void fill(long offset, long length) {
        for (long i = offset; i < offset + length; i++) {
            memory.segment().set(ValueLayout.JAVA_BYTE, i, byteAt(i));
        }
    }

    /** Returns a buffer with the bytes of a text. */
    Buf text(long offset, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        memory.segment().asSlice(offset, bytes.length).copyFrom(MemorySegment.ofArray(bytes));
        return buffers.data(memory, offset, bytes.length);
    }

    /** Returns a part of the memory as text. */
    String text(long offset, int length) {
        return new String(
                memory.segment().asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }

    Buf space(long offset, long length) {
        return buffers.space(memory, offset, length);
    }

    long word(long offset) {
        return memory.segment().get(ValueLayout.JAVA_LONG, offset);
    }

    void setWord(long offset, long value) {
        memory.segment().set(ValueLayout.JAVA_LONG, offset, value);
    }

    static byte byteAt(long offset) {
        return (byte) (offset * 31 + (offset >>> 8) + 1);
    }

    @Override
    public void close() {
        rdma.close();
        buffers.close();
        memory.close();
        device.close();
    }
}
