/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.DocaException;
import io.docajava.core.device.Device;
import io.docajava.core.internal.Handles;
import io.docajava.core.internal.call.Calls;
import java.util.Objects;

/**
 * Capabilities of a device's DMA engine.
 *
 * @param maxBufferSize the bytes that one copy may have, {@code doca_dma_cap_task_memcpy_get_max_buf_size}
 * @param maxListLength the buffers that the source of one copy may have,
 *     {@code doca_dma_cap_task_memcpy_get_max_buf_list_len}
 * @param maxTasks the tasks that one context may have, {@code doca_dma_cap_get_max_num_tasks}
 */
public record DmaCapabilities(long maxBufferSize, int maxListLength, int maxTasks) {

    /**
     * Asks an open device, for which a {@code struct doca_dma} is created and destroyed again. See
     * {@link DmaContext#isSupported} for devices that are not open.
     *
     * @throws DocaException if the device has no DMA engine, or does not answer
     * @throws IllegalStateException if the device is closed
     */
    public static DmaCapabilities of(Device device) {
        Objects.requireNonNull(device, "device");
        return Handles.resource(device).keepOpen("a question for DMA capabilities", () -> {
            DmaObject dma = new DmaObject(device);
            try {
                return dma.capabilities();
            } finally {
                Calls.check(dma.destroy(), dma.destroyFunction(), "closing a DMA context");
            }
        });
    }
}
