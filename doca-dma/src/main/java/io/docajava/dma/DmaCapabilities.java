/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.DocaException;
import io.docajava.core.device.Device;
import io.docajava.dma.internal.DmaObject;
import java.util.Objects;

/**
 * Capabilities of a device's DMA engine.
 *
 * @param maxBufferSize the number of bytes that one copy may have ({@code doca_dma_cap_task_memcpy_get_max_buf_size})
 * @param maxListLength the number of buffers that the source of one copy may have ({@code
 *     doca_dma_cap_task_memcpy_get_max_buf_list_len})
 * @param maxTasks the number of tasks that one context may have ({@code doca_dma_cap_get_max_num_tasks})
 */
public record DmaCapabilities(long maxBufferSize, int maxListLength, int maxTasks) {

    /**
     * Returns the capabilities of an open device. This creates and destroys a {@code struct doca_dma}. Any thread may call. For a
     * device that is not open, {@link DmaContext#isSupported} returns whether it has a DMA engine.
     *
     * @param device an open device with a DMA engine
     * @return the capabilities, which do not change
     * @throws DocaException if the device has no DMA engine, or the SDK cannot read its capabilities
     * @throws IllegalStateException if the device is closed
     */
    public static DmaCapabilities of(Device device) {
        Objects.requireNonNull(device, "device");
        return DmaObject.capabilities(device);
    }
}
