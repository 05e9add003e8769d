/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.internal;

import io.docajava.core.DocaError;
import io.docajava.core.device.Device;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.device.DeviceImpl;
import io.docajava.core.internal.engine.EngineImpl;
import io.docajava.core.internal.state.ContextBinding;
import io.docajava.dma.DmaCapabilities;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.generated.dma.DocaDma;
import io.docajava.ffi.hot.DmaCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A {@code struct doca_dma} and the calls on it. Not thread-safe. */
public final class DmaObject implements ContextBinding {

    /** Shared, because another thread may take over the context of a thread that has ended. */
    private final Arena arena;

    private final MemorySegment out;
    private final MemorySegment dev;
    private final MemorySegment dma;
    private final String place;
    /** True if this SDK accepts the order of completions only after each start. */
    private boolean orderAfterStart;

    /** Creates the object ({@code doca_dma_create}). */
    DmaObject(Device device) {
        dev = MemorySegment.ofAddress(DeviceImpl.address(device));
        place = device.info().displayName();
        arena = Arena.ofShared();
        try {
            out = arena.allocate(ValueLayout.JAVA_LONG);
            Calls.prepare(DocaDma.doca_dma_destroy$handle());
            Calls.check(DocaDma.doca_dma_create(dev, out), "doca_dma_create", "creating a DMA context on " + place);
        } catch (Throwable failure) {
            arena.close();
            throw failure;
        }
        dma = MemorySegment.ofAddress(out.get(ValueLayout.JAVA_LONG, 0));
    }

    /** Returns the capabilities of an open device. */
    public static DmaCapabilities capabilities(Device device) {
        return DeviceImpl.resource(device).keepOpen("a question for DMA capabilities", () -> {
            DmaObject dma = new DmaObject(device);
            try {
                return dma.capabilities();
            } finally {
                Calls.check(dma.destroy(), dma.destroyFunction(), "closing a DMA context");
            }
        });
    }

    /** Reads the capabilities of the device and this object. */
    DmaCapabilities capabilities() {
        MemorySegment info = DocaCommon.doca_dev_as_devinfo(dev);
        String attempt = "reading the DMA capabilities of " + place;
        Calls.check(
                DocaDma.doca_dma_cap_task_memcpy_get_max_buf_size(info, out),
                "doca_dma_cap_task_memcpy_get_max_buf_size",
                attempt);
        long maxBufferSize = out.get(ValueLayout.JAVA_LONG, 0);
        Calls.check(
                DocaDma.doca_dma_cap_task_memcpy_get_max_buf_list_len(info, out),
                "doca_dma_cap_task_memcpy_get_max_buf_list_len",
                attempt);
        int maxListLength = outAsInt();
        Calls.check(DocaDma.doca_dma_cap_get_max_num_tasks(dma, out), "doca_dma_cap_get_max_num_tasks", attempt);
        return new DmaCapabilities(maxBufferSize, maxListLength, outAsInt());
    }

    /** Sets the callbacks and the number of tasks, before the start. */
    void configure(EngineImpl engine, int tasks) {
        Calls.check(
                DocaDma.doca_dma_task_memcpy_set_conf(dma, engine.taskSucceeded(), engine.taskFailed(), tasks),
                "doca_dma_task_memcpy_set_conf",
                "giving the DMA context on " + place + " " + tasks + " tasks");
    }

    /**
     * Requests completions in the order of submission. The headers document this call for a started context, but programs make it
     * before the start. If the SDK refuses it now, it is repeated after each start.
     */
    void orderCompletions() {
        int result = DocaDma.doca_dma_set_ordered_completions(dma, (byte) 1);
        orderAfterStart = result == DocaError.BAD_STATE.code();
        if (orderAfterStart) {
            Calls.discardErrors();
        } else {
            checkOrder(result);
        }
    }

    @Override
    public void started() {
        if (orderAfterStart) {
            checkOrder(DocaDma.doca_dma_set_ordered_completions(dma, (byte) 1));
        }
    }

    private void checkOrder(int result) {
        Calls.check(
                result, "doca_dma_set_ordered_completions", "ordering the completions of the DMA context on " + place);
    }

    /** Allocates a copy task, which {@link #allocated()} returns afterwards; returns a {@code doca_error_t}. */
    int allocate(long source, long target, long userData) {
        return DmaCalls.allocate(dma.address(), source, target, userData, out.address());
    }

    /** Returns the {@code struct doca_dma_task_memcpy *} that was allocated last. */
    long allocated() {
        return out.get(ValueLayout.JAVA_LONG, 0);
    }

    @Override
    public long context() {
        return DocaDma.doca_dma_as_ctx(dma).address();
    }

    @Override
    public int destroy() {
        int result = DocaDma.doca_dma_destroy(dma);
        if (result == 0) {
            arena.close();
        }
        return result;
    }

    @Override
    public String destroyFunction() {
        return "doca_dma_destroy";
    }

    /** Returns an unsigned number of the SDK, or the largest {@code int} if the number is larger. */
    private int outAsInt() {
        int value = out.get(ValueLayout.JAVA_INT, 0);
        return value < 0 ? Integer.MAX_VALUE : value;
    }
}
